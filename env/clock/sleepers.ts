import type { Sandbox } from '../sandbox/index.ts';
import { findSleepers, releaseSignal, type Sleeper } from './sleeper.ts';

interface Waiting {
  readonly pid: number;
  readonly durations: readonly number[];
  stage: number;
  dueMs: number;
}

/** The processes of a world that wait on the virtual clock, and when each is to be released. */
export class Sleepers {
  readonly #sandbox: Sandbox;
  #waiting = new Map<string, Waiting>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Takes on new ones, forgets those that are gone. To be called while the world is settled. */
  update(nowMs: number): void {
    const found = findSleepers(this.#sandbox);
    this.#waiting = new Map(
      found.map((sleeper) => [sleeper.key, this.#waiting.get(sleeper.key) ?? begin(sleeper, nowMs)]),
    );
  }

  get nextDueMs(): number | null {
    let least = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#waiting.values()) least = Math.min(least, dueMs);
    return Number.isFinite(least) ? least : null;
  }

  /** Releases the one that is due first, lowest pid first; one at a time, so that they wake in order. */
  releaseNext(nowMs: number): boolean {
    const [first] = [...this.#waiting.values()]
      .filter(({ dueMs }) => dueMs <= nowMs)
      .sort((left, right) => left.dueMs - right.dueMs || left.pid - right.pid);
    if (first === undefined) return false;
    this.#sandbox.launcher.signal(first.pid, releaseSignal);
    first.stage++;
    first.dueMs = nowMs + (first.durations[first.stage] ?? Number.POSITIVE_INFINITY);
    return true;
  }
}

function begin({ pid, durations }: Sleeper, nowMs: number): Waiting {
  return { pid, durations, stage: 0, dueMs: nowMs + (durations[0] ?? Number.POSITIVE_INFINITY) };
}
