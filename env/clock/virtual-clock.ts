import { type Exit, type Launched, pause, type Sandbox } from '../sandbox/index.ts';
import type { Played, Player } from '../terminal/index.ts';
import { BusyMeter } from './busy-meter.ts';
import { isStopped, lookAt } from './look.ts';
import { RealTimers } from './real-timers.ts';
import { lookSettled } from './settle.ts';
import { Sleepers } from './sleepers.ts';

/** One tick of the virtual clock, in virtual milliseconds. */
export const tickMs = 1_000;

const firstLookMs = 3;
const longestPauseMs = 50;
const startPauseMs = 250;
const killLimitMs = 2_000;
const timerPauseMs = 5;
/** A world that computes in the background is not waited for longer than this, in CPU milliseconds. */
const settleCpuMs = 500;
/** Real milliseconds that all settling of one action may take. */
const settleWallMs = 5_000;
/** Background sleepers that wake each other cannot hold a tick for ever. */
const wakesPerAdvance = 256;

export interface ClockOptions {
  readonly sandbox: Sandbox;
  readonly serverPid: number;
  /** When the server was started, on the clock of `performance.now()`. */
  readonly serverSince: number;
  readonly player: Player | null;
  readonly onPlayed: (played: Played, virtualMs: number) => void;
}

export interface ActionLimits {
  /** Virtual time at which the action is ended. */
  readonly untilMs: number;
  /** Real time at which it is ended, on the clock of `performance.now()`. */
  readonly wallDeadline: number;
}

export type ActionEnd =
  | { readonly type: 'exited'; readonly exit: Exit }
  /** Ended by the gym: the tick budget of an action, or the wall limit of the episode. */
  | { readonly type: 'cut'; readonly by: 'ticks' | 'time'; readonly output: Buffer; readonly cutBytes: number };

/**
 * The virtual clock of one episode. Time passes by actions, by explicit waits, and inside an action that is blocked:
 * then it jumps to whatever comes next, unless something waits for real time. (DESIGN section 5.)
 */
export class VirtualClock {
  readonly #options: ClockOptions;
  readonly #sleepers: Sleepers;
  readonly #timers: RealTimers;
  #nowMs = 0;
  #wallTicks = 0;
  #reproducible = true;
  #settleLeftMs = settleWallMs;

  constructor(options: ClockOptions) {
    this.#options = options;
    this.#sleepers = new Sleepers(options.sandbox);
    this.#timers = new RealTimers(options.sandbox, options.serverPid, options.serverSince);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get tick(): number {
    return Math.floor(this.#nowMs / tickMs);
  }

  /** Ticks so far that followed real time. */
  get wallTicks(): number {
    return this.#wallTicks;
  }

  /** False once computing made the number of ticks, or what was seen, depend on the machine. */
  get reproducible(): boolean {
    return this.#reproducible;
  }

  /** Lets a started command run to its end or its limits. Rejects with LauncherGone where the sandbox ends. */
  async runAction(launched: Launched, limits: ActionLimits): Promise<ActionEnd> {
    this.#settleLeftMs = settleWallMs;
    await this.#waitForStart(launched);
    const meter = new BusyMeter(this.#options.sandbox.processes);
    let pauseMs = firstLookMs;
    for (;;) {
      const exit = await exitWithin(launched, pauseMs);
      if (exit !== null) return { type: 'exited', exit };
      if (performance.now() >= limits.wallDeadline) return await cut(launched, 'time');
      const look = await lookSettled(this.#options.sandbox);
      if (look !== null) {
        pauseMs = await this.#passTime(look, meter, limits.untilMs);
      } else {
        this.#addTicks(meter.busyTicks(), limits.untilMs);
        pauseMs = Math.min(longestPauseMs, Math.max(1, pauseMs * 1.5));
      }
      if (this.#nowMs >= limits.untilMs) return await cut(launched, 'ticks');
    }
  }

  /** Settles after an action and lets time run to the end of its last tick: at least one tick an action. */
  async finishAction(startMs: number): Promise<void> {
    await this.#settle();
    const target = Math.max(startMs + tickMs, Math.ceil(this.#nowMs / tickMs) * tickMs);
    await this.#advanceTo(target);
  }

  /** An explicit wait: real timers of the agent get their real time. */
  async wait(ticks: number, limits: ActionLimits): Promise<void> {
    const target = Math.min(limits.untilMs, this.#nowMs + ticks * tickMs);
    this.#settleLeftMs = settleWallMs;
    await this.#settle();
    const meter = new BusyMeter(this.#options.sandbox.processes);
    while (this.#nowMs < target && performance.now() < limits.wallDeadline && this.#timers.exist()) {
      this.#addTicks(meter.sleptTicks(), target);
      await this.#fireDue();
      await pause(timerPauseMs);
    }
    await this.#advanceTo(target);
  }

  /** An agent can stop the launcher, which then starts nothing more: its world is over. */
  async #waitForStart(launched: Launched): Promise<void> {
    const { sandbox } = this.#options;
    while (!(await isStartedWithin(launched, startPauseMs))) {
      if (isStopped(sandbox.processes, await sandbox.launcher.ready)) await sandbox.kill();
    }
  }

  /** The world is settled and the action blocked: the next thing happens. Returns how long to pause, in real ms. */
  async #passTime(look: string, meter: BusyMeter, untilMs: number): Promise<number> {
    this.#discover();
    if (this.#timers.exist()) {
      this.#addTicks(meter.sleptTicks(), untilMs);
      await this.#fireDue();
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
      if (wakes === wakesPerAdvance || this.#settleLeftMs === 0) {
        this.#reproducible = false;
        break;
      }
      this.#nowMs = Math.max(this.#nowMs, next);
      await this.#fireDue();
      await this.#settle();
    }
    this.#nowMs = Math.max(this.#nowMs, target);
  }

  #discover(): void {
    this.#options.player?.discover(this.#nowMs);
    this.#sleepers.update(this.#nowMs);
  }

  #nextDueMs(): number | null {
    const sleeper = this.#sleepers.nextDueMs;
    const part = this.#options.player?.nextDueMs ?? null;
    if (sleeper === null || part === null) return sleeper ?? part;
    return Math.min(sleeper, part);
  }

  /** What is due prints first, then one sleeper wakes: who looks after a sleep sees what was printed during it. */
  async #fireDue(): Promise<void> {
    const played = this.#options.player?.play(this.#nowMs) ?? [];
    for (const each of played) this.#options.onPlayed(each, this.#nowMs);
    if (played.length > 0) await this.#settle();
    this.#sleepers.releaseNext(this.#nowMs);
  }

  #addTicks(ticks: { readonly count: number; readonly computing: boolean }, untilMs: number): void {
    if (ticks.count === 0) return;
    this.#nowMs = Math.min(untilMs, this.#nowMs + ticks.count * tickMs);
    this.#wallTicks += ticks.count;
    if (ticks.computing) this.#reproducible = false;
  }

  /**
   * Waits until the world is settled and the server has read what was printed. Gives up on a world that computes, or
   * that does not come to rest within the real time that one action may spend on it.
   */
  async #settle(): Promise<void> {
    const meter = new BusyMeter(this.#options.sandbox.processes);
    for (let pauseMs = 1; !(await this.#isQuiet()); pauseMs = Math.min(10, pauseMs * 2)) {
      this.#options.sandbox.launcher.requireAlive();
      if (meter.cpuMs() > settleCpuMs || meter.wallMs() > this.#settleLeftMs) {
        this.#reproducible = false;
        break;
      }
      await pause(pauseMs);
    }
    this.#settleLeftMs = Math.max(0, this.#settleLeftMs - meter.wallMs());
  }

  async #isQuiet(): Promise<boolean> {
    if ((await lookSettled(this.#options.sandbox)) === null) return false;
    this.#options.player?.discover(this.#nowMs);
    return this.#options.player?.isConsumed ?? true;
  }
}

async function isStartedWithin(launched: Launched, milliseconds: number): Promise<boolean> {
  return (await within(launched.started, milliseconds)) !== null;
}

function exitWithin(launched: Launched, milliseconds: number): Promise<Exit | null> {
  return within(launched.exited, milliseconds);
}

/** Null where the time is over first. */
async function within<Value>(work: Promise<Value>, milliseconds: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const nothing = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([work, nothing]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the action's session; its exit tells how much output was dropped, unless the launcher itself was stopped. */
async function cut(launched: Launched, by: 'ticks' | 'time'): Promise<ActionEnd> {
  launched.kill();
  const exit = await exitWithin(launched, killLimitMs);
  return { type: 'cut', by, output: exit?.output ?? launched.output(), cutBytes: exit?.cutBytes ?? 0 };
}
