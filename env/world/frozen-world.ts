import { exitWithin } from '../clock/index.ts';
import { BoundaryError } from '../errors.ts';
import {
  type Exit,
  heldSocket,
  type Launched,
  LauncherGone,
  pause,
  readStat,
  readState,
  type Sandbox,
} from '../sandbox/index.ts';
import type { BlankWorld } from './blank-world.ts';

/** What a question to a frozen world came to. */
export type Answer =
  | { readonly type: 'text'; readonly text: string }
  /** The command failed, as it may: what it asked for is not there. */
  | { readonly type: 'failed'; readonly code: number }
  /** The server is gone, */
  | { readonly type: 'gone' }
  /** did not answer in time, being stopped or busy with what the agent had it do, */
  | { readonly type: 'late' }
  /** was not reached, since what the agent runs ended or stopped who asked, */
  | { readonly type: 'disturbed' }
  /** or went on changing, since what the agent runs could not be stopped. */
  | { readonly type: 'moving' };

const sigstop = 19;
/** What forks as fast as it is stopped is not waited for longer than this. */
const freezeLimitMs = 5_000;
/** A server that runs, but is slow, may only be on a loaded machine. */
const answerLimitMs = 22_000;
const lookMs = 250;
/** Beyond it, a shell's code tells of a signal. */
const lastExitCode = 127;
/** What a client of tmux says that was ended, or whose server was; one that failed says why. */
const interruption = /^(?:terminated|lost tty|server exited(?: unexpectedly)?)?\s*$/;
/** A tenth of the time for an answer on the processor, in kernel ticks of 10 ms: the server is at work. */
const busyTicks = 200;
const outputLimit = 1 << 20;

/**
 * A world in which nothing of the agent's runs any more but the tmux server, and what that wakes in its panes, so that
 * its state can be read.
 */
export class FrozenWorld {
  readonly #sandbox: Sandbox;
  readonly #server: number;
  readonly #isServerAlive: () => boolean;
  readonly #isStill: boolean;

  private constructor(
    sandbox: Sandbox,
    server: number,
    { isAlive, isStill }: { readonly isAlive: () => boolean; readonly isStill: boolean },
  ) {
    this.#sandbox = sandbox;
    this.#server = server;
    this.#isServerAlive = isAlive;
    this.#isStill = isStill;
  }

  /** Where the agent has ended its sandbox, or ends it meanwhile, every question finds the server gone. */
  static async freeze({ sandbox, server }: BlankWorld): Promise<FrozenWorld> {
    const since = startTime(sandbox, server.pid);
    const isAlive = (): boolean => since !== null && startTime(sandbox, server.pid) === since;
    let isStill = true;
    try {
      isStill = await stopAll(sandbox, server.pid);
    } catch (error) {
      if (!(error instanceof LauncherGone)) throw error;
    }
    return new FrozenWorld(sandbox, server.pid, { isAlive, isStill });
  }

  /**
   * Asks by one unattached client that starts no server, through the socket that was held before the agent acted: the
   * name may lead to another server by now, and tmux wakes what runs in its panes.
   */
  async ask(argv: readonly string[]): Promise<Answer> {
    if (!this.#isServerAlive()) return { type: 'gone' };
    if (!this.#isStill) return { type: 'moving' };
    try {
      const words = ['tmux', '-N', '-S', heldSocket, ...argv.map(keepSemicolon)];
      const exit = await this.#waitFor(this.#sandbox.launcher.run({ argv: words, outputLimit }));
      if (typeof exit === 'string') return { type: exit };
      const text = exit.output.toString('utf8');
      if (exit.code === 0) return { type: 'text', text };
      return exit.code > lastExitCode || interruption.test(text)
        ? { type: 'disturbed' }
        : { type: 'failed', code: exit.code };
    } catch (error) {
      if (error instanceof LauncherGone) return { type: 'gone' };
      throw error;
    }
  }

  /**
   * `late` where the server cannot answer by the agent's doing: it is stopped, or computes; `disturbed` where who asks is
   * stopped. Throws a BoundaryError for a server that could answer and does not: the machine is to blame.
   */
  async #waitFor(launched: Launched): Promise<Exit | 'late' | 'disturbed'> {
    const asking = [await this.#sandbox.launcher.ready];
    launched.started.then((pid) => asking.push(pid), ignoreGone);
    const cpu = this.#serverCpu();
    const deadline = performance.now() + answerLimitMs;
    let isHeld = false;
    while (performance.now() < deadline && !isHeld && !this.#isStopped(this.#server)) {
      const exit = await exitWithin(launched, lookMs);
      if (exit !== null) return exit;
      isHeld = asking.some((pid) => this.#isStopped(pid));
    }
    const isLate = this.#isStopped(this.#server) || this.#serverCpu() - cpu >= busyTicks;
    launched.kill();
    launched.exited.catch(ignoreGone);
    if (isHeld) return 'disturbed';
    if (isLate) return 'late';
    throw new BoundaryError('tmux', {
      code: 'E_TMUX',
      what: 'Cannot ask the tmux server, which runs and does not answer',
    });
  }

  #isStopped(pid: number): boolean {
    return 'Tt'.includes(readState(this.#sandbox.processes, pid) ?? 'gone');
  }

  /** In kernel ticks. */
  #serverCpu(): number {
    return readStat(this.#sandbox.processes, this.#server)?.cpuTicks ?? 0;
  }
}

/** Who ended the launcher is judged elsewhere. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof LauncherGone)) throw error;
}

/** A client of tmux takes a semicolon at the end of a word for the end of a command, unless a backslash stands before it. */
function keepSemicolon(word: string): string {
  return word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;
}

/**
 * Again and again, since what is not stopped yet may start more. Whether everything stood still in the end. The server's
 * own children are left: tmux wakes them at once, and their process group with them.
 */
async function stopAll(sandbox: Sandbox, server: number): Promise<boolean> {
  const spared = new Set([await sandbox.launcher.ready, server]);
  const deadline = performance.now() + freezeLimitMs;
  while (performance.now() < deadline) {
    sandbox.launcher.requireAlive();
    const moving = sandbox.processes.pids().filter((pid) => !spared.has(pid) && isMoving(sandbox, pid, server));
    if (moving.length === 0) return true;
    for (const pid of moving) sandbox.launcher.signal(pid, sigstop);
    await pause(1);
  }
  return false;
}

function isMoving({ processes, holderKey }: Sandbox, pid: number, server: number): boolean {
  const state = readState(processes, pid);
  if (state === null || 'TtZX'.includes(state) || readStat(processes, pid)?.parent === server) return false;
  return processes.executable(pid) !== holderKey;
}

function startTime({ processes }: Sandbox, pid: number): string | null {
  return readState(processes, pid) === 'Z' ? null : (readStat(processes, pid)?.startTime ?? null);
}
