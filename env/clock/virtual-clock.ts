import { type Launched, pause } from '../sandbox/index.ts';
import { cutAction, exitWithin, waitForStart } from './action.ts';
import { BusyMeter } from './busy-meter.ts';
import { type ActionEnd, type ActionLimits, type Clock, type ClockOptions, tickMs } from './clock.ts';
import { lookAt } from './look.ts';
import { RealTimers } from './real-timers.ts';
import { lookSettled } from './settle.ts';
import { Settler } from './settler.ts';
import { Sleepers } from './sleepers.ts';

const firstLookMs = 3;
const longestPauseMs = 50;
const timerPauseMs = 5;
/** What a loaded machine may be late by. */
const tickSlackMs = 20;
/** Background sleepers that wake each other cannot hold a tick for ever. */
const wakesPerTick = 256;

/**
 * The virtual clock of one episode. Time passes by actions, by explicit waits, and inside an action that is blocked:
 * then it jumps to whatever comes next, unless something waits for real time. (DESIGN section 5.)
 */
export class VirtualClock implements Clock {
  readonly #options: ClockOptions;
  readonly #sleepers: Sleepers;
  readonly #timers: RealTimers;
  readonly #settler: Settler;
  #nowMs = 0;
  #wallTicks = 0;
  #reproducible = true;

  constructor(options: ClockOptions) {
    this.#options = options;
    this.#sleepers = new Sleepers(options.sandbox);
    this.#timers = new RealTimers(options.sandbox, options.serverPid, options.serverSince);
    this.#settler = new Settler(options.sandbox, options.stage);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get tick(): number {
    return Math.floor(this.#nowMs / tickMs);
  }

  get wallTicks(): number {
    return this.#wallTicks;
  }

  get reproducible(): boolean {
    return this.#reproducible && !this.#settler.gaveUp;
  }

  get settleMs(): number {
    return this.#settler.spentMs;
  }

  async runAction(launched: Launched, limits: ActionLimits): Promise<ActionEnd> {
    const { sandbox } = this.#options;
    this.#settler.renew();
    await waitForStart(launched, sandbox);
    const meter = new BusyMeter(sandbox.processes);
    let pauseMs = firstLookMs;
    for (;;) {
      const exit = await exitWithin(launched, pauseMs);
      if (exit !== null) return { type: 'exited', exit };
      if (performance.now() >= limits.wallDeadline) return await cutAction(launched, 'time');
      const look = await lookSettled(sandbox);
      if (look !== null) {
        pauseMs = await this.#passTime(look, meter, limits.untilMs);
      } else {
        this.#addTicks(meter.busyTicks(), limits.untilMs);
        pauseMs = Math.min(longestPauseMs, Math.max(1, pauseMs * 1.5));
      }
      if (this.#nowMs >= limits.untilMs) return await cutAction(launched, 'ticks');
    }
  }

  /** Lets time run to the end of the action's last tick: at least one tick an action. */
  async finishAction(startMs: number): Promise<void> {
    await this.#settler.settle(this.#nowMs);
    const target = Math.max(startMs + tickMs, Math.ceil(this.#nowMs / tickMs) * tickMs);
    await this.#advanceTo(target);
  }

  /** Real timers of the agent get their real time. */
  async wait(ticks: number, limits: ActionLimits): Promise<void> {
    const target = Math.min(limits.untilMs, this.#nowMs + ticks * tickMs);
    this.#settler.renew();
    await this.#settler.settle(this.#nowMs);
    const meter = new BusyMeter(this.#options.sandbox.processes);
    while (this.#nowMs < target && performance.now() < limits.wallDeadline && this.#timers.exist()) {
      this.#addTicks(meter.sleptTicks(), target);
      if ((await this.#fireDue()).played > 0) meter.putOff(tickSlackMs);
      await pause(timerPauseMs);
    }
    await this.#advanceTo(target);
  }

  /** The world is settled and the action blocked: the next thing happens. Returns how long to pause, in real ms. */
  async #passTime(look: string, meter: BusyMeter, untilMs: number): Promise<number> {
    meter.settled();
    this.#discover();
    if (this.#timers.exist()) {
      this.#addTicks(meter.sleptTicks(), untilMs);
      if ((await this.#fireDue()).played > 0) meter.putOff(tickSlackMs);
      return timerPauseMs;
    }
    // A timer may have ended between the look and the reading: only a world in which nothing ran since may jump.
    if (lookAt(this.#options.sandbox.processes) !== look) return 1;
    meter.awake();
    this.#nowMs = Math.min(untilMs, Math.max(this.#nowMs, this.#nextDueMs() ?? untilMs));
    await this.#fireDue();
    return 0;
  }

  async #advanceTo(target: number): Promise<void> {
    for (let wakes = 0; ; wakes++) {
      this.#discover();
      const next = this.#nextDueMs();
      if (next === null || next > target) break;
      if (Math.floor(next / tickMs) > this.tick) {
        // A long wait is many ticks, and each has its own bounds.
        wakes = 0;
        this.#settler.renew();
      }
      if (wakes === wakesPerTick || this.#settler.isSpent) {
        this.#reproducible = false;
        break;
      }
      this.#nowMs = Math.max(this.#nowMs, next);
      const { played, woke } = await this.#fireDue();
      // What was played has settled already.
      if (woke || played === 0) await this.#settler.settle(this.#nowMs);
    }
    this.#nowMs = Math.max(this.#nowMs, target);
  }

  #discover(): void {
    this.#options.stage?.discover(this.#nowMs);
    this.#sleepers.update(this.#nowMs);
  }

  #nextDueMs(): number | null {
    const sleeper = this.#sleepers.nextDueMs;
    const staged = this.#options.stage?.nextDueMs ?? null;
    if (sleeper === null || staged === null) return sleeper ?? staged;
    return Math.min(sleeper, staged);
  }

  /** What is due is played first, then one sleeper wakes: who looks after a sleep sees what happened during it. */
  async #fireDue(): Promise<{ readonly played: number; readonly woke: boolean }> {
    const played = await this.#settler.playDue(this.#nowMs);
    return { played, woke: this.#sleepers.releaseNext(this.#nowMs) };
  }

  #addTicks(ticks: { readonly count: number; readonly computing: boolean }, untilMs: number): void {
    if (ticks.count === 0) return;
    this.#nowMs = Math.min(untilMs, this.#nowMs + ticks.count * tickMs);
    this.#wallTicks += ticks.count;
    if (ticks.computing) this.#reproducible = false;
  }
}
