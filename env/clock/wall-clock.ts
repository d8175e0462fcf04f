import { type Launched, pause } from '../sandbox/index.ts';
import { cutAction, exitWithin, waitForStart } from './action.ts';
import { type ActionEnd, type ActionLimits, type Clock, type ClockOptions, tickMs } from './clock.ts';
import { lookSettled } from './settle.ts';
import { Settler } from './settler.ts';
import { Sleepers } from './sleepers.ts';

const lookEveryMs = 5;

/**
 * The real clock, for realism: a tick is a second of wall time, the model's thinking counts, and nothing repeats
 * exactly. Whatever is due happens while an action runs, or before the next.
 */
export class WallClock implements Clock {
  readonly #options: ClockOptions;
  readonly #sleepers: Sleepers;
  readonly #settler: Settler;
  readonly #since = performance.now();

  constructor(options: ClockOptions) {
    this.#options = options;
    this.#sleepers = new Sleepers(options.sandbox);
    this.#settler = new Settler(options.sandbox, options.stage);
  }

  get nowMs(): number {
    return Math.floor(performance.now() - this.#since);
  }

  get tick(): number {
    return Math.floor(this.nowMs / tickMs);
  }

  get wallTicks(): number {
    return this.tick;
  }

  get reproducible(): boolean {
    return false;
  }

  get settleMs(): number {
    return this.#settler.spentMs;
  }

  async runAction(launched: Launched, limits: ActionLimits): Promise<ActionEnd> {
    this.#settler.renew();
    await waitForStart(launched, this.#options.sandbox);
    for (;;) {
      const exit = await exitWithin(launched, lookEveryMs);
      if (exit !== null) return { type: 'exited', exit };
      if (performance.now() >= limits.wallDeadline) return await cutAction(launched, 'time');
      if (this.nowMs >= limits.untilMs) return await cutAction(launched, 'ticks');
      await this.#passTime();
    }
  }

  async finishAction(): Promise<void> {
    await this.#settler.settle(this.nowMs);
    await this.#passTime();
  }

  async wait(ticks: number, limits: ActionLimits): Promise<void> {
    const target = Math.min(limits.untilMs, this.nowMs + ticks * tickMs);
    this.#settler.renew();
    while (this.nowMs < target && performance.now() < limits.wallDeadline) {
      this.#options.sandbox.launcher.requireAlive();
      await this.#passTime();
      await pause(lookEveryMs);
    }
  }

  async #passTime(): Promise<void> {
    if ((await lookSettled(this.#options.sandbox)) === null) return;
    this.#options.stage?.discover(this.nowMs);
    this.#sleepers.update(this.nowMs);
    await this.#settler.playDue(this.nowMs);
    this.#sleepers.releaseNext(this.nowMs);
  }
}
