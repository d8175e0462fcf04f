import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BoundaryError } from '../errors.ts';
import type { HostPrograms } from './host-programs.ts';
import { Launcher } from './launcher.ts';
import { DescendantView } from './process-view.ts';
import {
  type Sandbox,
  type SandboxEnd,
  type SandboxFactory,
  type SandboxOptions,
  sandboxEnvironment,
} from './sandbox.ts';
import type { StateFolder } from './state-folder.ts';

const startLimitMs = 20_000;
/** Linux's limit on a socket's path, less the name that tmux appends (`/tmux-12345/default`). */
const folderPathLimit = 107 - 20;

/**
 * The rungs without namespaces. `uid` (as root): a user id of its own for each episode, limits and a system-call
 * filter; processes of others can be seen, /tmp is shared. `bare`: the gym's own user, with nothing between the agent
 * and the gym's files. `sleep` and `timeout` are virtual only where they are found on the PATH.
 */
export class PlainFactory implements SandboxFactory {
  readonly rung: 'uid' | 'bare';
  readonly #state: StateFolder;
  readonly #programs: HostPrograms;

  constructor(rung: 'uid' | 'bare', state: StateFolder, programs: HostPrograms) {
    this.rung = rung;
    this.#state = state;
    this.#programs = programs;
  }

  async create({ processLimit = 512 }: SandboxOptions = {}): Promise<Sandbox> {
    const root = process.getuid?.() === 0;
    if (this.rung === 'uid' && !root) {
      throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'Cannot change users without root' });
    }
    const uid = this.rung === 'uid' ? this.#state.takeUid() : (process.getuid?.() ?? 0);
    const folder = this.#state.createWorld();
    const release = (): void => {
      if (this.rung === 'uid') this.#state.returnUid(uid);
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      prepareFolder(folder, uid);
      const child = this.#spawn(folder, uid, processLimit);
      return await hold(child, { rung: this.rung, uid, folder, programs: this.#programs, release });
    } catch (error) {
      release();
      throw error;
    }
  }

  #spawn(folder: string, uid: number, processLimit: number): ChildProcess {
    const home = join(folder, 'home');
    const path = `${this.#programs.folder}:/usr/local/bin:/usr/bin:/bin`;
    const extra = { TMUX_TMPDIR: join(folder, 'tmux'), TMPDIR: home };
    const user = this.rung === 'uid' ? ['--uid', String(uid)] : [];
    // On the bare rung the limit would count the gym's own processes too.
    const limit = this.rung === 'uid' ? ['--processes', String(processLimit)] : [];
    const child = spawn(this.#programs.launcher, ['--keep', ...user, '--home', home, ...limit], {
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      env: sandboxEnvironment(home, path, extra),
      detached: true,
    });
    if (child.pid !== undefined) this.#state.recordProcess(folder, child.pid);
    return child;
  }
}

function prepareFolder(folder: string, uid: number): void {
  if (folder.length > folderPathLimit) {
    throw new BoundaryError('sandbox', {
      code: 'E_SOCKET_PATH',
      what: 'Cannot place a tmux socket',
      where: folder,
      expected: `a path of at most ${folderPathLimit} bytes`,
      found: `${Buffer.byteLength(folder)} bytes`,
      hint: 'Set TMPDIR to a shorter folder',
    });
  }
  for (const name of ['home', 'tmux', 'server']) {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(path, uid, uid);
  }
  chmodSync(folder, 0o711);
}

interface Started {
  readonly rung: 'uid' | 'bare';
  readonly uid: number;
  readonly folder: string;
  readonly programs: HostPrograms;
  release(): void;
}

async function hold(child: ChildProcess, { rung, uid, folder, programs, release }: Started): Promise<Sandbox> {
  if (child.stdin === null || child.stdout === null || child.pid === undefined) {
    throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'Cannot start the launcher' });
  }
  const launcher = new Launcher(child.stdin, child.stdout);
  const ended = new Promise<SandboxEnd>((resolve) => {
    child.on('error', () => resolve({ type: 'outside', signal: 'spawn failed' }));
    child.on('exit', (code, signal) =>
      resolve(signal === null ? { type: 'inside', code: code ?? 0 } : { type: 'outside', signal }),
    );
  });
  const kill = async (): Promise<void> => {
    // The keeper ends everything that it adopted before it ends itself.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  const timer = setTimeout(() => void kill(), startLimitMs);
  try {
    await launcher.ready;
  } catch (cause) {
    throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'Cannot start the launcher', cause });
  } finally {
    clearTimeout(timer);
  }
  const home = openSync(join(folder, 'home'), constants.O_RDONLY | constants.O_DIRECTORY);
  const terminals = openSync('/dev/pts', constants.O_RDONLY | constants.O_DIRECTORY);
  const server = openSync(join(folder, 'server'), constants.O_RDONLY | constants.O_DIRECTORY);
  let closed = false;
  return {
    rung,
    uid,
    launcher,
    processes: new DescendantView(child.pid),
    home: `/proc/self/fd/${home}`,
    homeInside: join(folder, 'home'),
    terminals: `/proc/self/fd/${terminals}`,
    holderInside: programs.holder,
    holderKey: programs.holderKey,
    sleepKey: programs.sleepKey,
    timeoutKey: programs.timeoutKey,
    serverFolderInside: join(folder, 'server'),
    serverFolder: `/proc/self/fd/${server}`,
    ended,
    kill,
    close: async () => {
      if (closed) return;
      closed = true;
      await kill();
      closeSync(home);
      closeSync(terminals);
      closeSync(server);
      release();
    },
  };
}
