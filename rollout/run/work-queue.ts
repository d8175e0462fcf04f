/** Real milliseconds, summed over pieces of work that may have run at the same time. */
export interface WorkUse {
  workMs: number;
  waitMs: number;
}

export function makeWorkUse(): WorkUse {
  return { workMs: 0, waitMs: 0 };
}

/**
 * Work of one kind: so much of it at a time, the rest in the order of asking, urgent work before all other. Knows how
 * long anything ran.
 */
export class WorkQueue {
  /** Pieces at a time, at most. */
  readonly limit: number;
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #running = 0;
  #since = 0;
  #busyMs = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Runs `work` when its turn comes, and adds its wait and its time to `use`. */
  async run<Value>(work: () => Promise<Value>, use: WorkUse, urgent = false): Promise<Value> {
    const asked = performance.now();
    await this.#takeTurn(urgent ? this.#urgent : this.#others);
    const began = performance.now();
    use.waitMs += began - asked;
    try {
      return await work();
    } finally {
      const now = performance.now();
      use.workMs += now - began;
      this.#passTurn(now);
    }
  }

  async #takeTurn(waiting: (() => void)[]): Promise<void> {
    if (this.#running === this.limit) return await new Promise((resolve) => waiting.push(resolve));
    if (this.#running === 0) this.#since = performance.now();
    this.#running += 1;
  }

  /** The next takes the place over, so that nobody comes between. */
  #passTurn(now: number): void {
    const next = this.#urgent.shift() ?? this.#others.shift();
    if (next === undefined) {
      this.#running -= 1;
      if (this.#running === 0) this.#busyMs += now - this.#since;
    } else next();
  }

  /** Real milliseconds in which at least one piece ran. */
  get busyMs(): number {
    return this.#running === 0 ? this.#busyMs : this.#busyMs + performance.now() - this.#since;
  }
}
