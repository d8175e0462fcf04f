import { expect, test } from 'vitest';
import { makeStream } from './stream.ts';

const owner = { suite: 'cliff', profile: 'fair', depth: 3, ops: 8, seed: 42 };
const draws = (seed: number, purpose: string, count = 64) => {
  const stream = makeStream({ ...owner, seed }, purpose);
  return Array.from({ length: count }, () => stream.int(2 ** 31));
};

test('makeStream() gives the same sequence, when owner and purpose are equal', () => {
  expect(draws(42, 'names')).toEqual(draws(42, 'names'));
  expect(draws(42, 'names', 4)).toEqual([863252260, 1787724686, 2057700713, 1401038495]);
});

test('makeStream() gives sequences that do not overlap, when seeds or purposes differ', () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 200; seed++) {
    for (const purpose of ['names', 'order']) {
      const sequence = draws(seed, purpose, 100);
      for (let start = 0; start + 1 < sequence.length; start++) seen.add(`${sequence[start]},${sequence[start + 1]}`);
    }
  }
  expect(seen.size).toBe(200 * 2 * 99);
});

test('int() is spread evenly, when first draws of neighbouring seeds are taken together', () => {
  const counts = Array.from({ length: 10 }, () => 0);
  for (let seed = 0; seed < 10_000; seed++) counts[makeStream({ ...owner, seed }, 'even').int(10)]! += 1;
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test('sample() gives different items and leaves its argument alone, when asked for all of them', () => {
  const items = ['a', 'b', 'c', 'd', 'e'];
  const chosen = makeStream(owner, 'sample').sample(items, 5);
  expect(chosen.toSorted()).toEqual(items);
  expect(items).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('sample() and pick() throw a RangeError, when the list is too short', () => {
  expect(() => makeStream(owner, 'short').sample(['a'], 2)).toThrow(RangeError);
  expect(() => makeStream(owner, 'short').pick([])).toThrow(RangeError);
});
