import { z } from 'zod';
import { actionSchema } from './action.ts';
import { hashCanonical } from './canonical.ts';
import { checkSchema } from './check.ts';
import { eventAxesSchema, eventSchema } from './event.ts';
import type { TaskHash, TaskId } from './id.ts';
import { setupOperationSchema } from './plan.ts';

/** A sequence of actions that is known to solve, or known not to solve, its task. Played to its end, then `done`. */
export const solutionSchema = z.strictObject({ name: z.string().min(1), actions: z.array(actionSchema).readonly() });
export type Solution = Readonly<z.infer<typeof solutionSchema>>;

const limitsSchema = z.strictObject({
  /** Actions in an episode. */
  steps: z.int().min(1),
  /** Virtual ticks in an episode. */
  ticks: z.int().min(1),
  /** Virtual ticks in one action; a blocked action ends there, cut. */
  ticksPerAction: z.int().min(1),
  /** Real milliseconds of all actions of an episode together, the policy's thinking apart; a safety net, not a measure. */
  wallMs: z.int().min(1),
  /** Bytes of output kept in one observation. */
  observationBytes: z.int().min(256).max(65_536),
});
export type Limits = Readonly<z.infer<typeof limitsSchema>>;

/** Seeds are exact in JSON, Arrow and Python: non-negative integers up to 2^53 - 1. */
export const seedSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const aboutSchema = z.strictObject({
  title: z.string().min(1),
  /** A category of the study, such as `A-WIN` or `B-NOTIFY`. */
  category: z.string().min(1),
  /** T1 to T4, the weight in an aggregate score. */
  tier: z.int().min(1).max(4),
  /** What one learns from it, in a sentence. */
  teaches: z.string().optional(),
});

export const taskSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .transform((id) => id as TaskId),
  suite: z.string().min(1),
  pillar: z.enum(['A', 'B', 'C', 'cliff']),
  /** 0 to 4 for the cliff, null where the axis does not apply. */
  depth: z.int().min(0).max(4).nullable(),
  /** The op-count N, null where the axis does not apply. */
  ops: z.int().min(1).max(64).nullable(),
  seed: seedSchema,
  profile: z.enum(['fair', 'classic']),
  /** Which of the depth's wordings the prompt uses, from 0. */
  paraphrase: z.int().min(0),
  prompt: z.string().min(1),
  /** Secrets of 32 bits (8 hex digits each) that the plan and the checks refer to as `{{slot:0}}` and up. */
  slots: z.int().min(0),
  plan: z.array(setupOperationSchema).readonly(),
  /** The event schedule. Cliff tasks have none. */
  events: z.array(eventSchema).max(16).readonly(),
  checks: z.array(checkSchema).min(1).readonly(),
  /** Whether evidence comes from the server's debug log; a plan with a dead worker needs it. */
  debugLog: z.boolean(),
  solutions: z.strictObject({
    /** Each scores 1. */
    oracle: z.array(solutionSchema).min(1).readonly(),
    /** A plausible attempt that misses the point; scores below pass. */
    naive: solutionSchema,
    /** A confident wrong answer of the right form; scores below pass. */
    wrong: solutionSchema,
    /** Shortcuts that a lazy policy would try; each scores below pass. */
    lazy: z.array(solutionSchema).readonly().optional(),
  }),
  limits: limitsSchema,
  /** Version of the generator; part of the identity. */
  generator: z.string().min(1),
  /** Where an event task lies among the event tasks. */
  axes: eventAxesSchema.optional(),
  /** Best probability to pass without perceiving anything. @default 2^-32 for each secret that is asked for */
  guess: z.number().min(0).max(1).optional(),
  /** Hooks beyond the welcome ones that an honest solution may set, such as `after-new-window`; not flagged here. */
  hooks: z
    .array(z.string().regex(/^(after|client)-[a-z-]+$/))
    .readonly()
    .optional(),
  /** `shell`: a task in the published format, whose probes are shell scripts; the weaker instrument. */
  instrument: z.literal('shell').optional(),
  /** What a hand-written task says about itself. */
  about: aboutSchema.optional(),
});

/**
 * A frozen, serialisable problem: the public structure only, never a secret. Byte-identical for the same
 * (generator version, configuration, seed) on any machine.
 */
export type Task = Readonly<z.output<typeof taskSchema>>;

/** The content hash of a task; independent of key order. */
export function hashTask(task: Task): TaskHash {
  return hashCanonical(task) as TaskHash;
}
