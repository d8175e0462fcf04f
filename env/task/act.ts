import { z } from 'zod';

/** A name that needs no quoting in a shell or in tmux. */
export const plainName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);

/** Template lines: `{{slot:N}}` stands for the N-th secret. At most 190 bytes each, so that no line wraps at 200 columns. */
export const templateLines = z.array(z.string().max(190)).max(40).readonly();

/** Virtual milliseconds after the start of the program, or after the line that it answers. */
const at = { afterMs: z.int().min(0) };

/** What a holder can exit with (native/holder.c). */
export const exitStatus = z.int().min(0).max(239);

export const actSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('print'), ...at, lines: templateLines }),
  /** Prints again and again, `{{count}}` being 1, 2, …; without `times` for as long as the program lives. */
  z.strictObject({
    type: z.literal('beat'),
    ...at,
    everyMs: z.int().min(100),
    times: z.int().min(1).optional(),
    lines: templateLines,
  }),
  z.strictObject({ type: z.literal('bell'), ...at }),
  z.strictObject({ type: z.literal('exit'), ...at, status: exitStatus }),
  /** `wait-for -S` on a channel of tmux. */
  z.strictObject({ type: z.literal('signal'), ...at, channel: plainName }),
  /** Starts an event of the task whose own time is null. */
  z.strictObject({ type: z.literal('fire'), ...at, event: plainName }),
]);

/** One thing that a played program does, at its virtual time. */
export type Act = Readonly<z.infer<typeof actSchema>>;

export const actsSchema = z.array(actSchema).max(64).readonly();

export const hearSchema = z.strictObject({
  /** The whole line that is typed into the pane, without spaces around; null answers any line that no other takes. */
  line: z.string().min(1).max(190).nullable(),
  /** How many such lines are answered. @default every one */
  times: z.int().min(1).optional(),
  acts: actsSchema,
});

/** How a played program answers what is typed into its pane. The first that matches and is not used up answers. */
export type Hear = Readonly<z.infer<typeof hearSchema>>;
