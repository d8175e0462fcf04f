import { z } from 'zod';
import { plainName } from './act.ts';

/** Commands that only read. */
const readers = new Set([
  'capture-pane',
  'display-message',
  'has-session',
  'list-buffers',
  'list-clients',
  'list-keys',
  'list-panes',
  'list-sessions',
  'list-windows',
  'show-buffer',
  'show-environment',
  'show-hooks',
  'show-options',
]);

/** `display-message` and `capture-pane` need `-p`, or they would write. */
const readingCommand = z
  .array(z.string().max(1_024))
  .min(1)
  .max(32)
  .readonly()
  .refine(([name = '', ...rest]) => readers.has(name) && (!/^(capture|display)/.test(name) || rest[0] === '-p'), {
    error: 'a reading command by its full name, display-message and capture-pane followed by -p',
  });

/** Where a check reads its value, from outside the agent's world and after the freeze. */
export const probeSchema = z.discriminatedUnion('type', [
  /** A regular file below HOME (one name, no directory): its text, at most 64 KiB. */
  z.strictObject({ type: z.literal('file'), path: z.string().regex(/^[A-Za-z0-9._-]+$/) }),
  /** What a reading command of tmux prints, asked of the frozen server; null where it fails. */
  z.strictObject({ type: z.literal('tmux'), argv: readingCommand }),
  /** How often a line was typed into a worker's pane, to be read by its program. */
  z.strictObject({ type: z.literal('heard'), worker: plainName, line: z.string().min(1) }),
  /** How often a worker's program was started again. */
  z.strictObject({ type: z.literal('started'), worker: plainName }),
  /** One field of what became of an event (METRICS, "One event"); `perceived` is `yes` or `no`. */
  z.strictObject({
    type: z.literal('event'),
    event: plainName,
    field: z.enum(['outcome', 'perceived', 'perceived_by', 'armed']),
  }),
  /** How often the agent ran a command of tmux, by its full name and by the server's record. */
  z.strictObject({ type: z.literal('commands'), command: z.string().regex(/^[a-z-]+$/) }),
  /** A shell script of a task in the published format; its output. It runs in the frozen world. */
  z.strictObject({
    type: z.literal('shell'),
    query: z.string().min(1).max(65_536),
    timeoutMs: z.int().min(1).max(60_000),
  }),
]);
export type Probe = Readonly<z.infer<typeof probeSchema>>;

/**
 * `multiset` compares the lines of the value with the lines of `expect` and is graded; `lines` asks for the same lines
 * in the same order, each line a part; `empty` holds where there is nothing to read; `sha256` where the value is the
 * SHA-256 sum (64 hex digits) of the lines of `expect`, each ended by a newline; the others hold or do not.
 */
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
  'lines',
  'empty',
  'sha256',
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
