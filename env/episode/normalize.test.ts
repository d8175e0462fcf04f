import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeObservation } from './normalize.ts';
import { ObservationHash } from './observation-hash.ts';

describe('normalizeObservation()', () => {
  test.each([
    ['main: 1 windows (created Sun Nov 29 22:09:13 2026)', 'main: 1 windows (created <date>)', 24],
    ['Mon Dec  1 08:00:00 UTC 2025', '<date>', 28],
    ['2026-11-29 22:09', '<date> <time>', 15],
    ['at 08:15:00.', 'at <time>.', 8],
    ['1764453600 1764453600.123456', '<epoch> <epoch>', 27],
    ['/dev/pts/12: main', '<terminal>: main', 11],
    ['client-2793 detached', '<client> detached', 11],
    ['%1 7b19ddf6 200x50 1234567890 exit 3', '%1 7b19ddf6 200x50 1234567890 exit 3', 0],
  ])('makes of %j: %j', (text, normalized, replacedBytes) => {
    expect(normalizeObservation(text)).toEqual({ text: normalized, replacedBytes });
  });

  test('leaves hexadecimal tokens alone, whatever they are', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{8}$/), (token) => {
        expect(normalizeObservation(`token ${token}\n`)).toEqual({ text: `token ${token}\n`, replacedBytes: 0 });
      }),
    );
  });

  test('changes nothing more, when applied twice', () => {
    const part = fc.constantFrom('12:34:56', '2026-11-29', '/dev/pts/3', 'client-7', '1764453600', ' ', 'x', '\n', '✓');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const { text } = normalizeObservation(parts.join(' '));
        expect(normalizeObservation(text)).toEqual({ text, replacedBytes: 0 });
      }),
    );
  });
});

describe('ObservationHash', () => {
  const digest = (...texts: readonly string[]) => {
    const hash = new ObservationHash();
    for (const text of texts) hash.add({ text, exitCode: 0, cutBytes: 0 });
    return hash.digest();
  };

  test('is the same for what cannot repeat, and its raw twin is not', () => {
    const [left, right] = [digest('at 10:00:00 ok'), digest('at 11:30:00 ok')];
    expect(left.normalized).toBe(right.normalized);
    expect(left.raw).not.toBe(right.raw);
    expect(left.replacedBytes).toBe(8);
  });

  test('differs by text, exit code, cut bytes, order and division', () => {
    const one = (exitCode: number | null, cutBytes: number) => {
      const hash = new ObservationHash();
      hash.add({ text: 'ab', exitCode, cutBytes });
      return hash.digest().normalized;
    };
    const all = [
      digest('ab').normalized,
      digest('a', 'b').normalized,
      digest('b', 'a').normalized,
      digest().normalized,
      one(1, 0),
      one(null, 0),
      one(0, 1),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('can be read on the way, and goes on', () => {
    const hash = new ObservationHash();
    hash.add({ text: 'a', exitCode: 0, cutBytes: 0 });
    expect(hash.digest()).toEqual(digest('a'));
    hash.add({ text: 'b', exitCode: 0, cutBytes: 0 });
    expect(hash.digest()).toEqual(digest('a', 'b'));
  });

  test('has the recorded value, when the observation is fixed', () => {
    expect(digest('naïve ✓\n').raw).toBe(digest('naïve ✓\n').normalized);
    expect(digest('naïve ✓\n').raw).toMatchInlineSnapshot(
      `"d0884681959e3a445feb29ef97373b214440a072578bfb421e04f87417c74e35"`,
    );
  });
});
