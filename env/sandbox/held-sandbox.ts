import type { ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { BoundaryError } from '../errors.ts';
import type { HostPrograms } from './host-programs.ts';
import { Launcher } from './launcher.ts';
import { startTimeOf } from './owner.ts';
import type { ProcessView } from './process-view.ts';
import type { Rung } from './rung.ts';
import type { Sandbox, SandboxEnd } from './sandbox.ts';

/** Exit status of a sandbox whose launcher ended (native/launcher.c, `LAUNCHER_ENDED`). */
const launcherEnded = 77;
const startLimitMs = 20_000;

export interface HeldOptions {
  readonly rung: Rung;
  readonly uid: number;
  readonly child: ChildProcess;
  /** From waitForExit(), called right after the spawn. */
  readonly exit: Promise<ChildExit>;
  readonly programs: HostPrograms;
  readonly homeInside: string;
  readonly holderInside: string;
  readonly serverFolderInside: string;
  /** The same folders as seen from outside, opened once the launcher is ready. */
  readonly folders: () => {
    readonly home: string;
    readonly terminals: string;
    readonly server: string;
    readonly proc: string;
  };
  readonly view: (proc: string) => ProcessView;
  /** The process that, killed, takes everything with it, and how. */
  readonly end: { readonly pid: number; readonly signal: NodeJS.Signals };
  /** What the program that made the sandbox said on its standard error. */
  readonly said: () => string;
  /** Gives back what was taken for this sandbox. */
  readonly release: () => void;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** To be called at once after a spawn: an end that was not listened for is lost. */
export function waitForExit(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.on('error', () => resolve({ code: null, signal: null }));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * A started sandbox: waits for its launcher and holds its folders open from before the agent's first action. Throws a
 * BoundaryError (`E_SANDBOX`) where the launcher does not come up; nothing is given back then.
 */
export async function holdSandbox(options: HeldOptions): Promise<Sandbox> {
  const { child, exit, said, rung, uid, programs } = options;
  if (child.stdin === null || child.stdout === null) throw new Error('Cannot use a sandbox without pipes');
  const launcher = new Launcher(child.stdin, child.stdout);
  const timer = setTimeout(() => child.kill('SIGKILL'), startLimitMs);
  try {
    await launcher.ready;
  } catch (cause) {
    await exit;
    throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'Cannot start the launcher', found: said(), cause });
  } finally {
    clearTimeout(timer);
  }
  const held = new HeldFolders(options.folders());
  const ending = new Ending(options);
  let closed: Promise<void> | null = null;
  return {
    rung,
    uid,
    launcher,
    processes: options.view(held.path('proc')),
    get home() {
      return held.path('home');
    },
    get terminals() {
      return held.path('terminals');
    },
    writeTerminal: (descriptor, bytes) => writeSync(descriptor, bytes),
    get serverFolder() {
      return held.path('server');
    },
    homeInside: options.homeInside,
    serverFolderInside: options.serverFolderInside,
    holderInside: options.holderInside,
    holderKey: programs.holderKey,
    sleepKey: programs.sleepKey,
    timeoutKey: programs.timeoutKey,
    ended: ending.ended,
    kill: () => ending.kill(),
    close: () => {
      closed ??= ending.kill().then(() => {
        held.close();
        options.release();
      });
      return closed;
    },
  };
}

type Folder = 'home' | 'terminals' | 'server' | 'proc';

/** Folders of a sandbox as descriptors, so that no name can redirect them. */
class HeldFolders {
  readonly #descriptors: ReadonlyMap<Folder, number>;
  #closed = false;

  constructor(paths: Readonly<Record<Folder, string>>) {
    const open = (path: string): number => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    const names: readonly Folder[] = ['home', 'terminals', 'server', 'proc'];
    this.#descriptors = new Map(names.map((name) => [name, open(paths[name])]));
  }

  path(name: Folder): string {
    const descriptor = this.#descriptors.get(name);
    if (this.#closed || descriptor === undefined) {
      throw new BoundaryError('sandbox', {
        code: 'E_CLOSED',
        what: 'Cannot use a sandbox that was closed',
        where: name,
      });
    }
    return `/proc/self/fd/${descriptor}`;
  }

  close(): void {
    this.#closed = true;
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
  }
}

/** Ends a sandbox, and tells who ended it. */
class Ending {
  readonly ended: Promise<SandboxEnd>;
  readonly #options: HeldOptions;
  readonly #startTime: string | null;
  #asked = false;

  constructor(options: HeldOptions) {
    this.#options = options;
    this.#startTime = startTimeOf(options.end.pid);
    this.ended = options.exit.then(({ code, signal }) => this.#judge(code, signal));
  }

  kill(): Promise<SandboxEnd> {
    const { pid, signal } = this.#options.end;
    // A pid whose process is gone may be another's by now.
    if (!this.#asked && this.#startTime !== null && startTimeOf(pid) === this.#startTime) {
      this.#asked = true;
      tryKill(pid, signal);
    }
    return this.ended;
  }

  #judge(code: number | null, signal: NodeJS.Signals | null): SandboxEnd {
    if (signal !== null) return { type: 'outside', how: signal };
    // Without a namespace, what was asked to end says the same as one whose launcher ended.
    const asked = this.#asked && this.#options.end.signal === 'SIGTERM';
    if (code === launcherEnded && !asked) return { type: 'inside' };
    if (this.#asked) return { type: 'gym' };
    return { type: 'outside', how: `exit status ${code}` };
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
