import { readStat, readState, type Sandbox } from '../sandbox/index.ts';
import { RealTimers } from './real-timers.ts';

export interface SolitudeOptions {
  readonly sandbox: Sandbox;
  readonly serverPid: number;
  /** When the server was started, on the clock of `performance.now()`. */
  readonly serverSince: number;
}

/**
 * Tells who ended or stopped the tmux server between two actions, or before the first. Where nothing of the agent's lived
 * when the one before was over, and the server had nothing of its making ahead, nothing inside can have done it.
 * Everything else is taken for the agent's doing.
 */
export class Solitude {
  readonly #sandbox: Sandbox;
  readonly #server: number;
  readonly #timers: RealTimers;
  /** What set-up left, and how often each was switched; a shell that the agent used was switched more often. */
  #known: ReadonlyMap<number, string> = new Map();
  #serverStart: string | null = null;
  #launcher = 0;
  #alone = false;

  constructor({ sandbox, serverPid, serverSince }: SolitudeOptions) {
    this.#sandbox = sandbox;
    this.#server = serverPid;
    this.#timers = new RealTimers(sandbox, serverPid, serverSince);
  }

  /** To be called when the world is posed, before the agent can act. `alone`: set-up left nothing that acts by itself. */
  async begin(alone: boolean): Promise<void> {
    const { launcher, processes } = this.#sandbox;
    this.#launcher = await launcher.ready;
    this.#known = new Map(processes.pids().map((pid) => [pid, this.#useOf(pid)]));
    this.#serverStart = this.#startOf(this.#server);
    this.#alone = alone;
  }

  /** To be called on a settled world, when an action is over. */
  note(): void {
    const others = this.#sandbox.processes.pids().filter((pid) => pid !== this.#server);
    this.#alone = this.#serverState() === 'S' && others.every((pid) => this.#isOurs(pid)) && !this.#timers.exist();
  }

  /** To be called before the next action, and before grading: what somebody outside did to the server, or null. */
  findLoss(): 'ended' | 'stopped' | null {
    if (!this.#alone) return null;
    const state = this.#serverState();
    if (state === null || state === 'Z') return 'ended';
    return state === 'T' ? 'stopped' : null;
  }

  #isOurs(pid: number): boolean {
    if (pid === this.#launcher || this.#sandbox.processes.executable(pid) === this.#sandbox.holderKey) return true;
    return this.#known.get(pid) === this.#useOf(pid);
  }

  /** Null where it is gone, or another has its pid. */
  #serverState(): string | null {
    if (this.#startOf(this.#server) !== this.#serverStart) return null;
    return readState(this.#sandbox.processes, this.#server);
  }

  #startOf(pid: number): string | null {
    return readStat(this.#sandbox.processes, pid)?.startTime ?? null;
  }

  #useOf(pid: number): string {
    const status = this.#sandbox.processes.read(pid, 'status') ?? '';
    const switches = [...status.matchAll(/ctxt_switches:\t(\d+)/g)].map(([, count]) => count);
    return [this.#startOf(pid), ...switches].join(' ');
  }
}
