import { pause, type Sandbox } from '../sandbox/index.ts';
import { BusyMeter } from './busy-meter.ts';
import type { Stage } from './clock.ts';
import { lookSettled } from './settle.ts';

/** A world that computes in the background is not waited for longer than this, in CPU milliseconds. */
const cpuLimitMs = 500;
/** Real milliseconds that all settling of one action may take. */
const wallLimitMs = 5_000;
/** Doing one thing can make others due at once; so often they are done without time passing. */
const mostRounds = 64;

/** Brings a world to rest after something was done in it. */
export class Settler {
  readonly #sandbox: Sandbox;
  readonly #stage: Stage | null;
  #leftMs = wallLimitMs;
  #gaveUp = false;
  #spentMs = 0;

  constructor(sandbox: Sandbox, stage: Stage | null) {
    this.#sandbox = sandbox;
    this.#stage = stage;
  }

  /** True once a world did not come to rest in its time: what was seen then depends on the machine. */
  get gaveUp(): boolean {
    return this.#gaveUp;
  }

  /** Real milliseconds of all settling so far. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** No real time is left for settling in this action. */
  get isSpent(): boolean {
    return this.#leftMs === 0;
  }

  /** A new action may spend its real time anew. */
  renew(): void {
    this.#leftMs = wallLimitMs;
  }

  /**
   * Waits until the world is settled and has taken in what was done. Gives up on one that computes, or that does not
   * come to rest within the real time of one action.
   */
  async settle(nowMs: number): Promise<void> {
    const meter = new BusyMeter(this.#sandbox.processes);
    for (let pauseMs = 1; !(await this.#isQuiet(nowMs)); pauseMs = Math.min(10, pauseMs * 2)) {
      this.#sandbox.launcher.requireAlive();
      if (meter.cpuMs() > cpuLimitMs || meter.wallMs() > this.#leftMs) {
        this.#gaveUp = true;
        break;
      }
      await pause(pauseMs);
    }
    const spentMs = meter.wallMs();
    this.#spentMs += spentMs;
    this.#leftMs = Math.max(0, this.#leftMs - spentMs);
  }

  /**
   * Does what is due on the stage, and what becomes due at once by that, each on a settled world. Returns how many
   * things it did.
   */
  async playDue(nowMs: number): Promise<number> {
    const stage = this.#stage;
    let total = 0;
    for (let rounds = 0; stage !== null && rounds < mostRounds; rounds++) {
      if (stage.nextDueMs === null || stage.nextDueMs > nowMs) break;
      const done = stage.play(nowMs);
      total += done;
      if (done > 0 || !stage.isConsumed) await this.settle(nowMs);
    }
    return total;
  }

  async #isQuiet(nowMs: number): Promise<boolean> {
    if ((await lookSettled(this.#sandbox)) === null) return false;
    this.#stage?.discover(nowMs);
    return this.#stage?.isConsumed ?? true;
  }
}
