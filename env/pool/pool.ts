import pLimit from 'p-limit';
import type { SandboxFactory } from '../sandbox/index.ts';
import { type BlankWorld, createBlankWorld, isHealthy, type World } from '../world/index.ts';

export interface PoolOptions {
  readonly factory: SandboxFactory;
  /** Blank worlds kept ready. */
  readonly size: number;
  /** Finished worlds kept ready, at most. */
  readonly prefetchLimit: number;
}

/** Worlds made at once in the background; more only compete for the same cores. */
const concurrency = 4;

/**
 * Worlds made ahead: blank ones for any task, and finished ones for tasks that were announced. What is handed out was
 * checked to live; a broken world is ended and replaced, and never seen by an episode.
 */
export class Pool {
  readonly #options: PoolOptions;
  /** Two limits: a finished world waits for a blank one, which must not queue behind it. */
  readonly #blankLimit = pLimit(concurrency);
  readonly #finishedLimit = pLimit(concurrency);
  readonly #blank: Promise<BlankWorld | null>[] = [];
  readonly #finished = new Map<string, Promise<World | null>[]>();
  #finishedCount = 0;
  #replaced = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#refill();
  }

  /** Worlds that were found broken and replaced. */
  get replaced(): number {
    return this.#replaced;
  }

  /** A living blank world, ready or made now. Throws a BoundaryError where none can be made. */
  async takeBlank(): Promise<BlankWorld> {
    for (let next = this.#blank.shift(); next !== undefined; next = this.#blank.shift()) {
      this.#refill();
      const world = await next;
      if (world !== null && isHealthy(world)) return world;
      this.#replaced++;
      await world?.sandbox.close();
    }
    return createBlankWorld(this.#options.factory);
  }

  /** Begins to make a finished world under `key`; false where the limit is reached. */
  prefetch(key: string, pose: (blank: BlankWorld) => Promise<World>): boolean {
    if (this.#closed || this.#finishedCount >= this.#options.prefetchLimit) return false;
    this.#finishedCount++;
    const made = this.#finishedLimit(async () => (this.#closed ? null : pose(await this.takeBlank()))).catch(
      () => null,
    );
    const worlds = this.#finished.get(key);
    if (worlds === undefined) this.#finished.set(key, [made]);
    else worlds.push(made);
    return true;
  }

  /** A living finished world that was announced under `key`, or null. */
  async takeFinished(key: string): Promise<World | null> {
    for (let next = this.#shiftFinished(key); next !== undefined; next = this.#shiftFinished(key)) {
      const world = await next;
      if (world !== null && isHealthy(world)) return world;
      this.#replaced++;
      await world?.close();
    }
    return null;
  }

  /** Ends every world that was not handed out. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const blank = this.#blank.splice(0);
    const finished = [...this.#finished.values()].flat();
    this.#finished.clear();
    for (const made of blank) await (await made)?.sandbox.close();
    for (const made of finished) await (await made)?.close();
  }

  #shiftFinished(key: string): Promise<World | null> | undefined {
    const worlds = this.#finished.get(key);
    const first = worlds?.shift();
    if (worlds?.length === 0) this.#finished.delete(key);
    if (first !== undefined) this.#finishedCount--;
    return first;
  }

  #refill(): void {
    while (!this.#closed && this.#blank.length < this.#options.size) {
      this.#blank.push(
        this.#blankLimit(() => (this.#closed ? null : createBlankWorld(this.#options.factory))).catch(() => null),
      );
    }
  }
}
