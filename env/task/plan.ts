import { z } from 'zod';
import { actsSchema, hearSchema, plainName, templateLines } from './act.ts';

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

/** A window of session `main` (or `session`) that runs an interactive shell. */
const windowOperation = z.strictObject({ type: z.literal('window'), name: plainName, session: plainName.optional() });

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
  /** The session that gets the window. @default main */
  session: plainName.optional(),
  /** Name of a window of that session which is split for the worker; it gets no window of its own then. */
  split: plainName.optional(),
  /** What the program does from the agent's first action on. */
  acts: actsSchema.optional(),
  /** What it does from its first, second, … later start on, beside printing `restart`; the last stands for all after it. */
  starts: z.array(actsSchema).min(1).max(16).readonly().optional(),
  /** How it answers what is typed into its pane, in every life. */
  hears: z.array(hearSchema).max(64).readonly().optional(),
});

/**
 * A command of tmux, for whatever else a world needs: options, layouts, key bindings, sessions, buffers. Its arguments
 * are templates, but what starts a program must hold no secret, since tmux shows start commands.
 */
const tmuxOperation = z.strictObject({
  type: z.literal('tmux'),
  argv: z.array(z.string().max(8_192)).min(1).max(64).readonly(),
});

/** A shell script that sets the world up from inside, as tasks of the published format do. It sees real time. */
const shellOperation = z.strictObject({
  type: z.literal('shell'),
  script: z.string().max(65_536),
  timeoutMs: z.int().min(1).max(60_000),
});

export const setupOperationSchema = z.discriminatedUnion('type', [
  fileOperation,
  optionOperation,
  windowOperation,
  workerOperation,
  tmuxOperation,
  shellOperation,
]);

/**
 * One step of a set-up plan. Files are made first, then everything of tmux in the order of the plan, then the workers'
 * screens appear, then shell scripts run.
 */
export type SetupOperation = Readonly<z.infer<typeof setupOperationSchema>>;
export type WorkerOperation = Readonly<z.infer<typeof workerOperation>>;
