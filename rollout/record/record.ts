import { z } from 'zod';
import { episodeRecordSchema, traceLineSchema } from '../../env/index.ts';
import { turnSchema } from '../loop/index.ts';

/** One line of `episodes.jsonl` as this layer writes it: the episode, and the model behind its policy. */
export const rolloutRecordSchema = episodeRecordSchema.extend({
  /** The model that was sampled; null for scripted policies. */
  model: z.string().nullable().default(null),
  /** The event axes; null for the cliff. */
  kind: z.string().nullable().default(null),
  level: z.string().nullable().default(null),
  arm: z.string().nullable().default(null),
});
export type RolloutRecord = Readonly<z.infer<typeof rolloutRecordSchema>>;

/** One line of `traces.jsonl`: what happened in one attempt at an episode. `record.trace` gives its byte offset. */
export const traceRecordSchema = z.object({
  schema: z.literal(1),
  episode: z.string(),
  attempt: z.int().min(0),
  lines: z.array(traceLineSchema).readonly(),
  /** The model's answers; empty for scripted policies. */
  turns: z.array(turnSchema).readonly(),
});
export type TraceRecord = Readonly<z.infer<typeof traceRecordSchema>>;
