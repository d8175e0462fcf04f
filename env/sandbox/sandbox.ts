import type { Launcher } from './launcher.ts';
import type { ProcessView } from './process-view.ts';
import type { Rung } from './rung.ts';

/** How a sandbox ended. Decided by its init, which nothing inside can end. */
export type SandboxEnd =
  /** The launcher ended: the agent's doing. */
  | { readonly type: 'inside' }
  /** The gym ended it, in the course of things. */
  | { readonly type: 'gym' }
  /** Something else did. */
  | { readonly type: 'outside'; readonly how: string };

/**
 * One isolated place for one episode. Paths ending in `Inside` are as the agent sees them. Descriptors are held from
 * before the agent's first action, so nothing that it does to names can redirect them.
 */
export interface Sandbox {
  readonly rung: Rung;
  readonly uid: number;
  readonly launcher: Launcher;
  readonly processes: ProcessView;
  /**
   * Path of the agent's HOME through a held descriptor; outlives the sandbox's processes, until close(). Throws a
   * BoundaryError (`E_CLOSED`) afterwards, since the descriptor's number may then be another file's.
   */
  readonly home: string;
  readonly homeInside: string;
  /** Path of the terminals' folder (devpts) through a held descriptor. */
  readonly terminals: string;
  /** Writes what a terminal takes at once. Returns the number of bytes, throws EAGAIN where it takes none: never waits. */
  writeTerminal(descriptor: number, bytes: Uint8Array): number;
  /** The holder: how a pane's command names it, and device:inode of the file. */
  readonly holderInside: string;
  readonly holderKey: string;
  readonly sleepKey: string;
  readonly timeoutKey: string;
  /** Where the tmux server starts and would open its log, and the same folder through a held descriptor. */
  readonly serverFolderInside: string;
  readonly serverFolder: string;
  /** Resolves when every process of the sandbox is gone. */
  readonly ended: Promise<SandboxEnd>;
  /** SIGKILL for everything inside; resolves when nothing lives. HOME can still be read. Idempotent. */
  kill(): Promise<SandboxEnd>;
  /** kill(), then gives back descriptors, folder and user id. Idempotent. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Processes of the agent at once. @default 512 */
  readonly processLimit?: number;
  /** Bytes that HOME and /tmp may hold, each, where the rung can bound them. @default 64 MiB */
  readonly diskBytes?: number;
}

/** Makes sandboxes of one rung. */
export interface SandboxFactory {
  readonly rung: Rung;
  /** Throws a BoundaryError (`E_SANDBOX`) where none can be made. */
  create(options?: SandboxOptions): Promise<Sandbox>;
}

/** Environment of everything inside; the only variables that exist there. */
export function sandboxEnvironment(
  home: string,
  path: string,
  extra: Record<string, string> = {},
): Record<string, string> {
  return {
    HOME: home,
    USER: 'agent',
    LOGNAME: 'agent',
    SHELL: '/bin/bash',
    PATH: path,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm-256color',
    TZ: 'UTC',
    PS1: '$ ',
    REPORT: `${home}/report.txt`,
    SINK: `${home}/sink`,
    ...extra,
  };
}
