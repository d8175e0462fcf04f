import { InputError } from '../../env/index.ts';

/** Part `index` (from 1) of `count` equal parts. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `i/N`, counted from 1. Throws an InputError (`E_SHARD`). */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const shard = { index: Number(match?.[1]), count: Number(match?.[2]) };
  if (match !== null && shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new InputError({
    code: 'E_SHARD',
    what: 'Cannot read a shard',
    where: '--shard',
    expected: 'i/N with i from 1 to N, such as 1/4',
    found: JSON.stringify(text),
  });
}

/** Every N-th item, starting with the i-th: the shards of a list share nothing and together are the list. */
export function* takeShard<Item>(items: Iterable<Item>, { index, count }: Shard): Generator<Item, void, undefined> {
  let position = 0;
  for (const item of items) {
    if (position % count === index - 1) yield item;
    position += 1;
  }
}

/** The first `limit` items; the source is not asked for more. */
export function* takeFirst<Item>(items: Iterable<Item>, limit: number): Generator<Item, void, undefined> {
  if (limit === 0) return;
  let taken = 0;
  for (const item of items) {
    yield item;
    taken += 1;
    if (taken >= limit) return;
  }
}
