import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BoundaryError } from '../errors.ts';
import { holdSandbox, waitForExit } from './held-sandbox.ts';
import type { HostPrograms } from './host-programs.ts';
import { DescendantView } from './process-view.ts';
import { type Sandbox, type SandboxFactory, type SandboxOptions, sandboxEnvironment } from './sandbox.ts';
import type { StateFolder } from './state-folder.ts';

/** Linux's limit on a socket's path, less the name that tmux appends (`/tmux-12345/default`). */
const folderPathLimit = 107 - 20;
/** Its number in linux/capability.h. */
const capSysPtrace = 19n;

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
    if (this.rung === 'uid' && !canSeeOthers()) {
      const hint = 'In a container: docker run --cap-add SYS_PTRACE';
      const what = 'Cannot see the processes of other users without the capability CAP_SYS_PTRACE';
      throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what, hint });
    }
    if (this.rung === 'bare' && root) {
      // One `kill -9 -1` of the agent would end every process of the machine.
      throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'Cannot run an agent as root without a sandbox' });
    }
    const uid = this.rung === 'uid' ? this.#state.takeUid('uid') : (process.getuid?.() ?? 0);
    const folder = this.#state.createWorld();
    const release = (): void => {
      if (this.rung === 'uid') {
        // Should the keeper have been killed from outside, what it adopted still lives.
        execFileSync(this.#programs.launcher, ['--end-user', String(uid)]);
        removeFilesOf(uid);
        this.#state.returnUid(uid);
      }
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      prepareFolder(folder, uid);
      const child = this.#spawn(folder, uid, processLimit);
      const keeper = child.pid;
      if (keeper === undefined)
        throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'Cannot start the launcher' });
      return await holdSandbox({
        rung: this.rung,
        uid,
        child,
        exit: waitForExit(child),
        programs: this.#programs,
        homeInside: join(folder, 'home'),
        holderInside: this.#programs.holder,
        serverFolderInside: join(folder, 'server'),
        folders: () => ({
          home: join(folder, 'home'),
          terminals: '/dev/pts',
          server: join(folder, 'server'),
          proc: '/proc',
        }),
        view: () => new DescendantView(keeper),
        // The keeper: it ends everything that it adopted before it ends itself.
        end: { pid: keeper, signal: 'SIGTERM' },
        said: () => '',
        release,
      });
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

/** Containers leave root without it by default. */
function canSeeOthers(): boolean {
  const held = /^CapEff:\t([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${held}`) >> capSysPtrace) & 1n) === 1n;
}

function prepareFolder(folder: string, uid: number): void {
  if (Buffer.byteLength(folder) > folderPathLimit) {
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

/** What a user left in the folders that everybody shares. Call it when no process of that user lives. */
function removeFilesOf(uid: number): void {
  for (const folder of ['/tmp', '/var/tmp', '/dev/shm']) {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (lstatSync(path, { throwIfNoEntry: false })?.uid === uid) rmSync(path, { recursive: true, force: true });
    }
  }
}
