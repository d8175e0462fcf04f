import { z } from 'zod';

/** Where a check reads its value, from outside the agent's world and after the freeze. */
export const probeSchema = z.discriminatedUnion('type', [
  /** A regular file below HOME (one name, no directory): its text, at most 64 KiB. */
  z.strictObject({ type: z.literal('file'), path: z.string().regex(/^[A-Za-z0-9._-]+$/) }),
]);
export type Probe = Readonly<z.infer<typeof probeSchema>>;

/** `multiset` compares the lines of the value with the lines of `expect` and is graded; the others hold or do not. */
export const checkOpSchema = z.enum([
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'regex',
  'in',
  'contains',
  'nonempty',
  'multiset',
]);
export type CheckOp = z.infer<typeof checkOpSchema>;

export const checkSchema = z.strictObject({
  id: z.string().min(1),
  role: z.enum(['perceive', 'react', 'state']),
  /** The event that this check belongs to, or null. */
  event: z.string().nullable(),
  required: z.boolean(),
  weight: z.number().positive(),
  probe: probeSchema,
  op: checkOpSchema,
  /** Templates: literal text in which `{{slot:N}}` stands for the N-th secret of the episode. */
  expect: z.array(z.string()).readonly(),
});
export type Check = Readonly<z.infer<typeof checkSchema>>;
