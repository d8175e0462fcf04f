import { z } from 'zod';
import { boundaries } from '../errors.ts';
import { eventKinds } from '../task/index.ts';

/** The part of the machinery that failed. */
export const boundarySchema = z.enum(boundaries);

export const checkResultSchema = z.strictObject({
  id: z.string(),
  role: z.enum(['perceive', 'react', 'state']),
  event: z.string().nullable(),
  /** What the probe read, cut to 4,096 characters; null where nothing could be read, with the reason in `note`. */
  value: z.string().nullable(),
  note: z.string().nullable(),
  /** The check holds exactly. */
  ok: z.boolean(),
  /** In [0, 1]; partial credit for graded operators, else 0 or 1. */
  score: z.number().min(0).max(1),
  weight: z.number(),
});
export type CheckResult = Readonly<z.infer<typeof checkResultSchema>>;

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

/** What became of one event of the schedule. */
export type EventResult = Readonly<z.infer<typeof eventResultSchema>>;

export const gradeSchema = z.strictObject({
  outcome: z.enum(['scored', 'flagged', 'masked']),
  /** In [0, 1]: sum of weight x score over sum of weights (METRICS). 0 when flagged, null when masked. */
  reward: z.number().min(0).max(1).nullable(),
  /** All required checks hold exactly; false when flagged or masked. */
  passed: z.boolean(),
  /** What tampering was seen, as stable codes. */
  flags: z.array(z.string()).readonly(),
  /** Which part of the machinery failed and how; null unless masked. */
  boundary: boundarySchema.nullable(),
  failure: z.string().nullable(),
  checks: z.array(checkResultSchema).readonly(),
  events: z.array(eventResultSchema).readonly(),
});

/** How an episode ended: scored, flagged for tampering, or masked because the gym itself failed. */
export type Grade = Readonly<z.infer<typeof gradeSchema>>;
