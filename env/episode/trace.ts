import { z } from 'zod';
import { gradeSchema } from '../grade/index.ts';
import { actionSchema } from '../task/index.ts';
import { deliveries } from './notice.ts';
import { observationSchema } from './observation.ts';

const at = { tick: z.int().min(0) };

/** One line of an episode's trace, in the order in which things happened. */
export const traceLineSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('reset'),
    ...at,
    task: z.string(),
    task_hash: z.string(),
    sample: z.int(),
    rung: z.string(),
    tmux_version: z.string(),
    delivery: z.enum(deliveries).optional(),
    clock: z.enum(['virtual', 'wall']).optional(),
  }),
  z.strictObject({ type: z.literal('action'), ...at, action: actionSchema }),
  /** The gym printed on a pane's terminal; `bytes` is the length, the text stays secret. */
  z.strictObject({ type: z.literal('play'), ...at, pane: z.string(), bytes: z.int(), virtual_ms: z.int() }),
  /** An event began. */
  z.strictObject({ type: z.literal('event'), ...at, event: z.string(), virtual_ms: z.int() }),
  /** The gym read a line that was typed into a pane. */
  z.strictObject({ type: z.literal('heard'), ...at, pane: z.string(), bytes: z.int(), virtual_ms: z.int() }),
  z.strictObject({
    type: z.literal('observation'),
    ...at,
    observation: observationSchema,
    wall_ticks: z.int(),
    action_cut: z.boolean(),
  }),
  z.strictObject({ type: z.literal('grade'), ...at, grade: gradeSchema }),
]);

export type TraceLine = Readonly<z.infer<typeof traceLineSchema>>;
