import { z } from 'zod';
import { eventKinds } from '../task/index.ts';

const tick = z.int().min(0).nullable();

/** How an event ended (METRICS, "One event"). `void`: the agent ended its worker before it could happen. */
export const eventOutcomes = [
  'handled',
  'late',
  'perceived-not-reacted',
  'reacted-blind',
  'never-perceived',
  'left-before',
  'not-fired',
  'void',
] as const;

export const eventResultSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(eventKinds),
  /** When the server's record shows that it happened. */
  fired_tick: tick,
  /** The first tick at which the right look would have shown it. */
  visible_tick: tick,
  /** The first look that would have shown it, at or after `visible_tick`. */
  perceived_tick: tick,
  /**
   * By which path: `observation`, `notice`, `consequence` (the answer cannot be had otherwise), `hook`, `wait-for`,
   * `pipe-pane`, or the command that read it, such as `list-panes`.
   */
  perceived_by: z.string().nullable(),
  /** A hook, monitor, pipe or blocking wait was set before `visible_tick`, and the look came that way. */
  armed: z.boolean().nullable(),
  /** Looks at the worker before `visible_tick`. */
  polls: z.int().min(0),
  /** The first right effect. Of an event that never happened: the first attempt at a reaction, a false alarm. */
  reacted_tick: tick,
  /** The last tick at which a reaction is in time. */
  deadline_tick: tick,
  outcome: z.enum(eventOutcomes),
});

export type EventOutcome = (typeof eventOutcomes)[number];

/** What became of one event of the schedule. */
export type EventResult = Readonly<z.infer<typeof eventResultSchema>>;
