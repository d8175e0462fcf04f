import { type Exit, heldSocket, LauncherGone, pause, type Sandbox } from '../sandbox/index.ts';
import type { BlankWorld } from './blank-world.ts';

/** What a question to a frozen world came to. */
export type Answer =
  | { readonly type: 'text'; readonly text: string }
  /** The command failed, as it may: what it asked for is not there. */
  | { readonly type: 'failed'; readonly code: number }
  /** The server is gone, */
  | { readonly type: 'gone' }
  /** or did not answer in time. */
  | { readonly type: 'late' };

const sigstop = 19;
const freezeRounds = 20;
const answerLimitMs = 2_000;
/** A server that runs, but is slow, may only be on a loaded machine. */
const slowLimitMs = 20_000;
const outputLimit = 1 << 20;

/**
 * A world in which nothing of the agent's runs any more but the tmux server, and what that wakes in its panes, so that
 * its state can be read.
 */
export class FrozenWorld {
  readonly #sandbox: Sandbox;
  readonly #server: number;
  readonly #isServerAlive: () => boolean;

  private constructor(sandbox: Sandbox, server: number, isServerAlive: () => boolean) {
    this.#sandbox = sandbox;
    this.#server = server;
    this.#isServerAlive = isServerAlive;
  }

  /** Where the agent has ended its sandbox, or ends it meanwhile, every question finds the server gone. */
  static async freeze({ sandbox, server }: BlankWorld): Promise<FrozenWorld> {
    const since = startTime(sandbox, server.pid);
    const isAlive = (): boolean => since !== null && startTime(sandbox, server.pid) === since;
    try {
      await stopAll(sandbox, server.pid);
    } catch (error) {
      if (!(error instanceof LauncherGone)) throw error;
    }
    return new FrozenWorld(sandbox, server.pid, isAlive);
  }

  /**
   * Asks by one unattached client that starts no server, through the socket that was held before the agent acted: the
   * name may lead to another server by now, and tmux wakes what runs in its panes.
   */
  async ask(argv: readonly string[]): Promise<Answer> {
    if (!this.#isServerAlive()) return { type: 'gone' };
    try {
      const command = ['tmux', '-N', '-S', heldSocket, ...argv];
      const soon = await this.#run(command, answerLimitMs);
      const exit = soon ?? (this.#isServerStopped() ? null : await this.#run(command, slowLimitMs));
      if (exit === null) return { type: 'late' };
      return exit.code === 0
        ? { type: 'text', text: exit.output.toString('utf8') }
        : { type: 'failed', code: exit.code };
    } catch (error) {
      if (error instanceof LauncherGone) return { type: 'gone' };
      throw error;
    }
  }

  #isServerStopped(): boolean {
    const status = this.#sandbox.processes.read(this.#server, 'status') ?? '';
    return /^State:\t[Tt]/m.test(status);
  }

  /** Runs a command of the gym's; null where it did not end in time, and was ended. */
  async #run(argv: readonly string[], limitMs: number): Promise<Exit | null> {
    const launched = this.#sandbox.launcher.run({ argv, outputLimit });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, limitMs, null);
    });
    try {
      const exit = await Promise.race([launched.exited, late]);
      if (exit === null) launched.kill();
      return exit;
    } finally {
      clearTimeout(timer);
      launched.exited.catch((error: unknown) => {
        if (!(error instanceof LauncherGone)) throw error;
      });
    }
  }
}

/** Again and again, since what is not stopped yet may start more. */
async function stopAll(sandbox: Sandbox, server: number): Promise<void> {
  const spared = new Set([await sandbox.launcher.ready, server]);
  for (let round = 0; round < freezeRounds; round++) {
    sandbox.launcher.requireAlive();
    const moving = sandbox.processes.pids().filter((pid) => !spared.has(pid) && isMoving(sandbox, pid));
    if (moving.length === 0) return;
    for (const pid of moving) sandbox.launcher.signal(pid, sigstop);
    await pause(1);
  }
}

function isMoving(sandbox: Sandbox, pid: number): boolean {
  const state = /^State:\t(\S)/m.exec(sandbox.processes.read(pid, 'status') ?? '')?.[1];
  return state !== undefined && !'TtZX'.includes(state) && sandbox.processes.executable(pid) !== sandbox.holderKey;
}

function startTime(sandbox: Sandbox, pid: number): string | null {
  const stat = sandbox.processes.read(pid, 'stat');
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : (fields[19] ?? null);
}
