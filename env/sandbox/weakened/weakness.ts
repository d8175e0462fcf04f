/**
 * One defence that is switched off, for the red team: an exploit that then succeeds shows that the defence is what stops
 * it. Walls of the sandbox first, habits of the gym below.
 */
export const weaknesses = [
  /** No system-call filter. */
  'no-filter',
  /** The launcher's memory and descriptors can be opened by its own user. */
  'open-launcher',
  /** The network of the host. */
  'host-network',
  /** `sleep` and the worker's program can be written. */
  'writable-programs',
  /** The worker's program itself says on its second start what stands in `~/tokens/NAME`. */
  'talking-workers',
  /** One user and one folder of sockets for all episodes. */
  'shared-sockets',
  /** No limits on processes, files, memory, file size and terminals; four times the disk. */
  'no-limits',
  /** The tmux binary can be read, so that its server's memory can be, too. */
  'readable-server',
  /** Reads the report as any program would. */
  'naive-reader',
  /** Reads the report by a program of the agent's PATH, inside. */
  'grades-inside',
  /** Reads the report seconds later, while what the agent left still runs. */
  'grades-late',
  /** Asks the server that has the name of the episode's. */
  'asks-by-name',
  /** Takes a client that was killed for one that failed. */
  'trusts-killed-clients',
  /** Takes the server's message log for the record of commands, and leaves it in `~/commands.log`. */
  'message-record',
  /** Takes what the agent broke for its own failure. */
  'blames-itself',
  /** Keeps a client attached while the agent acts. */
  'attached',
  /** Believes the first of several processes that claim to be a pane's program. */
  'believes-claims',
  /** Waits for a terminal that takes no more. */
  'waits-for-terminals',
  /** Sees every thread asleep, and no timer. */
  'blind-clock',
  /** Takes a stopped process for one that runs. */
  'literal-clock',
  /** Sees no process that waits for a limit of time, and few others. */
  'short-sighted-clock',
  /** Fails where a process passed a bad pointer to the kernel. */
  'fragile-clock',
] as const;
export type Weakness = (typeof weaknesses)[number];
