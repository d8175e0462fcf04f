import { z } from 'zod';

/** A name that needs no quoting in a shell or in tmux. */
const plainName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);

/** Template lines: `{{slot:N}}` stands for the N-th secret. At most 190 bytes each, so that no line wraps at 200 columns. */
const templateLines = z.array(z.string().max(190)).max(40).readonly();

/** A regular file below HOME; missing directories of `path` are made. */
const fileOperation = z.strictObject({
  type: z.literal('file'),
  path: z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/),
  content: z.string(),
});

/** A global tmux user option (`@name`). */
const optionOperation = z.strictObject({
  type: z.literal('option'),
  name: z.string().regex(/^@[A-Za-z][A-Za-z0-9_-]*$/),
  value: z.string(),
});

/** A window of session `main` that runs an interactive shell. */
const windowOperation = z.strictObject({ type: z.literal('window'), name: plainName });

/**
 * A window whose program is played by the gym: `screen` is printed when it starts. With `dead`, it has printed, then
 * exited with `status` before the agent's first action, and its pane stays (`remain-on-exit`); each later start of the
 * same start command prints `restart` half a virtual second after the gym first sees it settled.
 */
const workerOperation = z.strictObject({
  type: z.literal('worker'),
  name: plainName,
  screen: templateLines,
  dead: z.strictObject({ status: z.int().min(0).max(239) }).nullable(),
  restart: templateLines,
});

export const setupOperationSchema = z.discriminatedUnion('type', [
  fileOperation,
  optionOperation,
  windowOperation,
  workerOperation,
]);

/** One step of a set-up plan. Operations are applied in order of kind: files, options, windows and workers. */
export type SetupOperation = Readonly<z.infer<typeof setupOperationSchema>>;
export type WorkerOperation = Readonly<z.infer<typeof workerOperation>>;
