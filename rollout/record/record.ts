import { z } from 'zod';
import { deliveries, episodeRecordSchema, traceLineSchema } from '../../env/index.ts';
import { turnSchema } from '../loop/index.ts';

const optionalText = z.string().nullable().default(null);
const optionalCount = z.int().min(0).nullable().default(null);

/** One line of `episodes.jsonl` as this layer writes it: the episode, and the model behind its policy. */
export const rolloutRecordSchema = episodeRecordSchema.extend({
  /** The model that was sampled; null for scripted policies. */
  model: optionalText,
  /** What the episode of `env` may leave out is null here, so that every line has every field. */
  kind: optionalText,
  level: optionalCount,
  arm: z.enum(['event', 'none', 'told']).nullable().default(null),
  count: optionalCount,
  delegation: z.enum(['solo', 'one', 'nested']).nullable().default(null),
  category: optionalText,
  tier: optionalCount,
  instrument: z.literal('shell').nullable().default(null),
  delivery: z.enum(deliveries).nullable().default(null),
  clock: z.enum(['virtual', 'wall']).nullable().default(null),
  guess: z.number().nullable().default(null),
  agent_commands: optionalCount,
  oracle_commands: optionalCount,
  failed_commands: optionalCount,
  /** Turns of the model in the graded attempt, those without a valid action included; 0 for scripted policies. */
  model_turns: optionalCount,
  /** Of all answers, those of spoiled attempts included; null where the server counted none. */
  prompt_tokens: optionalCount,
  completion_tokens: optionalCount,
  /** US dollars, as the server said or as the run's prices make it; null where neither is known. */
  cost_usd: z.number().min(0).nullable().default(null),
  timings: episodeRecordSchema.shape.timings.extend({
    /** Real milliseconds in calls of the model, and waiting for a turn in the queues of the run. */
    model_ms: z.number().default(0),
    queue_ms: z.number().default(0),
  }),
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
