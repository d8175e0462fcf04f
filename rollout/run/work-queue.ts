import PQueue from 'p-queue';

/** Real milliseconds, summed over pieces of work that may have run at the same time. */
export interface WorkUse {
  workMs: number;
  waitMs: number;
}

export function makeWorkUse(): WorkUse {
  return { workMs: 0, waitMs: 0 };
}

/** Work of one kind: so much of it at a time, the lowest rank first. Knows how long anything ran. */
export class WorkQueue {
  /** Pieces at a time, at most. */
  readonly limit: number;
  readonly #queue: PQueue;
  #running = 0;
  #since = 0;
  #busyMs = 0;

  constructor(limit: number) {
    this.limit = limit;
    this.#queue = new PQueue({ concurrency: limit });
  }

  /** Runs `work` when its turn comes, and adds its wait and its time to `use`. Of one rank, who asked first goes first. */
  async run<Value>(work: () => Promise<Value>, use: WorkUse, rank = 0): Promise<Value> {
    const asked = performance.now();
    return await this.#queue.add(() => this.#measure(work, use, asked), { priority: -rank });
  }

  async #measure<Value>(work: () => Promise<Value>, use: WorkUse, asked: number): Promise<Value> {
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
  }

  /** Real milliseconds in which at least one piece ran. */
  get busyMs(): number {
    return this.#running === 0 ? this.#busyMs : this.#busyMs + performance.now() - this.#since;
  }
}
