import type { ProcessView } from '../sandbox/index.ts';
import { lookAt, readCpuMs } from './look.ts';

export interface WallTicks {
  readonly count: number;
  /** They come from computing, not from a timer: their number depends on the machine. */
  readonly computing: boolean;
}

const freeMs = 5_000;
const tickMs = 1_000;
const longestSampleMs = 100;

/** Counts the ticks of an action that cannot be counted by jumps: while it computes, hangs, or waits for real time. */
export class BusyMeter {
  readonly #processes: ProcessView;
  readonly #cpuStart: number;
  readonly #wallStart = performance.now();
  #lastCpu = 0;
  #stillSince = performance.now();
  #sampledAt = performance.now();
  /** Real milliseconds of a world that does not settle and yet is found asleep, less those in which it is not so. */
  #dozedMs = 0;
  #computed = 0;
  #sleptMs = 0;
  #sleptTicks = 0;
  #asleepSince: number | null = null;

  constructor(processes: ProcessView) {
    this.#processes = processes;
    this.#cpuStart = readCpuMs(processes);
  }

  /** CPU time that the world used since this meter was made. */
  cpuMs(): number {
    return Math.max(0, readCpuMs(this.#processes) - this.#cpuStart);
  }

  wallMs(): number {
    return performance.now() - this.#wallStart;
  }

  /**
   * New ticks of a world that is not settled: none for the first 5 CPU-seconds, then one per CPU-second; where it does not
   * compute either (uninterruptible waits, real timers too short to be seen), one per wall second after 5.
   */
  busyTicks(): WallTicks {
    this.awake();
    const now = performance.now();
    const cpu = this.cpuMs();
    if (cpu !== this.#lastCpu) {
      this.#lastCpu = cpu;
      this.#stillSince = now;
    }
    // A world that computes is found awake, on a loaded machine too: whoever waits for a processor does not sleep.
    this.#sample(now, lookAt(this.#processes) !== null);
    const due = ticksBeyond(cpu) + Math.max(ticksBeyond(now - this.#stillSince), ticksBeyond(this.#dozedMs));
    const count = Math.max(0, due - this.#computed);
    this.#computed += count;
    return { count, computing: true };
  }

  /** The world is settled: its time passes by other rules. */
  settled(): void {
    this.#sample(performance.now(), false);
  }

  /** One look speaks for no more than a short time, whatever held the gym up. */
  #sample(now: number, isDozing: boolean): void {
    const sinceMs = Math.min(longestSampleMs, now - this.#sampledAt);
    this.#sampledAt = now;
    this.#dozedMs = Math.max(0, this.#dozedMs + (isDozing ? sinceMs : -sinceMs));
  }

  /** New ticks of a world that sleeps on a real timer: the k-th falls at k - 0.5 s of such sleep. */
  sleptTicks(): WallTicks {
    const now = performance.now();
    if (this.#asleepSince !== null) this.#sleptMs += now - this.#asleepSince;
    this.#asleepSince = now;
    const due = Math.floor(this.#sleptMs / tickMs + 0.5);
    const count = Math.max(0, due - this.#sleptTicks);
    this.#sleptTicks += count;
    return { count, computing: false };
  }

  /**
   * Puts the coming ticks off. What the gym did at a tick starts timers of whole seconds, which would end together with
   * a later tick: now before, now after it.
   */
  putOff(milliseconds: number): void {
    this.#sleptMs -= milliseconds;
  }

  /** The world moves again: the time until the next sleep is not slept. */
  awake(): void {
    this.#asleepSince = null;
  }
}

function ticksBeyond(milliseconds: number): number {
  return Math.max(0, Math.floor((milliseconds - freeMs) / tickMs));
}
