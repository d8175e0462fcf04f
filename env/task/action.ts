import { z } from 'zod';

/** Linux takes at most 128 KiB in one argument; this many UTF-16 units always fit. */
const maximumLength = 32_768;

/** One shell command, run by `bash -c` in the agent's HOME. Each starts a fresh shell: no state but files and tmux. */
const commandAction = z.strictObject({ type: z.literal('command'), command: z.string().max(maximumLength) });

/** A whole script, for single-turn use: run as `command` is, in one action. */
const scriptAction = z.strictObject({ type: z.literal('script'), script: z.string().max(maximumLength) });

/** Keys for a pane, each argument as tmux `send-keys` takes it. */
const keysAction = z.strictObject({
  type: z.literal('keys'),
  target: z.string().min(1).max(256),
  keys: z.array(z.string().min(1).max(4_096)).min(1).max(256),
});

/** Let the virtual clock run for whole ticks (one tick is 1,000 virtual milliseconds). */
const waitAction = z.strictObject({ type: z.literal('wait'), ticks: z.int().min(1).max(100_000) });

/** The agent says that it has finished; the episode terminates and is graded. */
const doneAction = z.strictObject({ type: z.literal('done') });

export const actionSchema = z.discriminatedUnion('type', [
  commandAction,
  scriptAction,
  keysAction,
  waitAction,
  doneAction,
]);

/** What an agent can do in one step. Strings are bounded by the schema; their content is the agent's own business. */
export type Action = Readonly<z.infer<typeof actionSchema>>;
