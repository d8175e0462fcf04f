import { z } from 'zod';
import { boundaries } from '../errors.ts';
import { eventResultSchema } from '../evidence/index.ts';

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
