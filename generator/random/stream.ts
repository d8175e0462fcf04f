import { hash } from 'node:crypto';
import seedrandom from 'seedrandom';

/** The coordinates that, with a purpose, name one child stream. `null` where an axis does not apply. */
export interface StreamOwner {
  readonly suite: string;
  readonly profile: string;
  readonly depth: number | null;
  readonly ops: number | null;
  readonly seed: number;
}

/** A deterministic source of choices. The same owner and purpose give the same sequence on any machine. */
export interface RandomStream {
  /** A whole number from 0 up to, not including, `limit` (at most 2^31). */
  int(limit: number): number;
  /** Throws a RangeError on an empty list. */
  pick<Item>(items: readonly Item[]): Item;
  /** `count` different items in random order; a new array. Throws a RangeError where there are fewer. */
  sample<Item>(items: readonly Item[], count: number): Item[];
}

/**
 * The child stream of `owner` for one purpose. Its 96-bit state is the head of
 * SHA-256("suite/profile/depth/ops/seed/purpose"), so streams of neighbouring seeds are unrelated. Algorithm: Alea
 * (Baagøe), exact in double arithmetic on every machine.
 */
export function makeStream(owner: StreamOwner, purpose: string): RandomStream {
  const { suite, profile, depth, ops, seed } = owner;
  const digest = hash('sha256', `${suite}/${profile}/${depth}/${ops}/${seed}/${purpose}`, 'hex');
  const state = { c: 1, s0: fractionAt(digest, 0), s1: fractionAt(digest, 8), s2: fractionAt(digest, 16) };
  return new SeededStream(seedrandom.alea('', { state }));
}

/** Eight hex digits as a number in [0, 1). */
function fractionAt(digest: string, start: number): number {
  return Number.parseInt(digest.slice(start, start + 8), 16) / 2 ** 32;
}

class SeededStream implements RandomStream {
  readonly #next: () => number;

  constructor(next: () => number) {
    this.#next = next;
  }

  int(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return itemAt(items, this.int(items.length));
  }

  sample<Item>(items: readonly Item[], count: number): Item[] {
    const pool = items.slice();
    for (let index = 0; index < count; index++) {
      const other = index + this.int(pool.length - index);
      const chosen = itemAt(pool, other);
      pool[other] = itemAt(pool, index);
      pool[index] = chosen;
    }
    return pool.slice(0, count);
  }
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  if (index >= items.length) throw new RangeError(`Cannot draw item ${index}: the list has ${items.length} items`);
  return items[index] as Item;
}
