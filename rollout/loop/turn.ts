import { z } from 'zod';

const messageSchema = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

/** One answer of a model and what became of it; lines of `traces.jsonl` carry them. */
export const turnSchema = z.object({
  /** The whole conversation that the model was given. */
  messages: z.array(messageSchema).readonly(),
  /** The answer as the model wrote it; null where the conversation did not fit its context. */
  answer: z.string().nullable(),
  finish_reason: z.string().nullable(),
  /** The step (from 1) that the answer became; null where it held no valid action. */
  step: z.int().min(1).nullable(),
  /** Why the answer held no valid action, null where it did. */
  format_failure: z.string().nullable(),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  /** Token ids and log-probabilities as the sampler gave them, null where it gave none. */
  prompt_ids: z.array(z.int()).readonly().nullable(),
  completion_ids: z.array(z.int()).readonly().nullable(),
  logprobs: z.array(z.number()).readonly().nullable(),
  /** Real milliseconds until the answer. */
  model_ms: z.number(),
});

export type Turn = Readonly<z.infer<typeof turnSchema>>;
