import type { Clock } from './clock.ts';

interface Alarm {
  readonly due: number;
  readonly run: () => void;
}

/** Test double of `Clock`: time stands still until `advance()`. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const alarm = { due: this.#now + delayMs, run };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Moves time on and runs what falls due, in order, each at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let alarm = this.#next(end); alarm !== undefined; alarm = this.#next(end)) {
      this.#alarms.delete(alarm);
      this.#now = Math.max(this.#now, alarm.due);
      alarm.run();
    }
    this.#now = end;
  }

  /** Moves time on at once, as a stopped process sees it: what fell due runs late. */
  stall(ms: number): void {
    this.#now += ms;
    this.advance(0);
  }

  #next(end: number): Alarm | undefined {
    const due = [...this.#alarms].filter((alarm) => alarm.due <= end);
    return due.sort((a, b) => a.due - b.due)[0];
  }
}
