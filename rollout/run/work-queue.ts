import pLimit, { type LimitFunction } from 'p-limit';

/** Real milliseconds, summed over pieces of work that may have run at the same time. */
export interface WorkUse {
  workMs: number;
  waitMs: number;
}

export function makeWorkUse(): WorkUse {
  return { workMs: 0, waitMs: 0 };
}

/** Work of one kind: so much of it at a time, the rest in the order of asking. Knows how long anything ran. */
export class WorkQueue {
  /** Pieces at a time, at most. */
  readonly limit: number;
  readonly #turns: LimitFunction;
  #running = 0;
  #since = 0;
  #busyMs = 0;

  constructor(limit: number) {
    this.limit = limit;
    this.#turns = pLimit(limit);
  }

  /** Runs `work` when its turn comes, and adds its wait and its time to `use`. */
  run<Value>(work: () => Promise<Value>, use: WorkUse): Promise<Value> {
    const asked = performance.now();
    return this.#turns(async () => {
      const began = performance.now();
      use.waitMs += began - asked;
      if (this.#running++ === 0) this.#since = began;
      try {
        return await work();
      } finally {
        const now = performance.now();
        use.workMs += now - began;
        if (--this.#running === 0) this.#busyMs += now - this.#since;
      }
    });
  }

  /** Real milliseconds in which at least one piece ran. */
  get busyMs(): number {
    return this.#running === 0 ? this.#busyMs : this.#busyMs + performance.now() - this.#since;
  }
}
