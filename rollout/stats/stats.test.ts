import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  bootstrapInterval,
  bootstrapStatistic,
  type Cluster,
  dPrime,
  fisherExact,
  holmAdjust,
  mcnemarExact,
  median,
  type Pair,
  pairedBootstrap,
  passAtK,
  passHatK,
  quantile,
  tasksForDifference,
  tasksForPairedDifference,
  wilsonInterval,
} from './index.ts';
import { normalQuantile } from './normal.ts';

interface Golden {
  readonly wilson: readonly { passed: number; n: number; low: number; high: number }[];
  readonly fisher: readonly { table: [number, number, number, number]; p: number }[];
  readonly bootstrap: readonly { weight: 'episode' | 'stratum'; strata: Cluster[][]; low: number; high: number }[];
  readonly passAtK: readonly { n: number; passed: number; k: number; value: number }[];
  readonly passHatK: readonly { n: number; passed: number; k: number; value: number }[];
  readonly paired: readonly { strata: Pair[][]; difference: number; low: number; high: number }[];
  readonly mcnemar: readonly { onlyA: number; onlyB: number; p: number }[];
  readonly holm: readonly { values: number[]; adjusted: number[] }[];
  readonly normalQuantile: readonly { p: number; z: number }[];
  readonly dPrime: readonly { counts: [number, number, number, number]; value: number }[];
  readonly power: readonly { rate: number; difference: number; n: number }[];
  readonly pairedPower: readonly { discordant: number; difference: number; n: number; power: number }[];
}

const golden = JSON.parse(readFileSync(new URL('./golden/golden.json', import.meta.url), 'utf8')) as Golden;

describe('wilsonInterval()', () => {
  test('agrees with statsmodels, over the golden table', () => {
    expect(golden.wilson.length).toBeGreaterThan(30);
    for (const { passed, n, low, high } of golden.wilson) {
      const interval = wilsonInterval(passed, n);
      expect(interval.low, `${passed}/${n}`).toBeCloseTo(low, 12);
      expect(interval.high, `${passed}/${n}`).toBeCloseTo(high, 12);
    }
  });

  test('shows an upper bound of 20.4 %, when 0 of 15 pass', () => {
    expect(wilsonInterval(0, 15).low).toBe(0);
    expect(wilsonInterval(0, 15).high).toBeCloseTo(0.204, 3);
  });

  test('throws, when nothing was counted', () => {
    expect(() => wilsonInterval(0, 0)).toThrow(RangeError);
    expect(() => wilsonInterval(3, 2)).toThrow(RangeError);
  });
});

describe('fisherExact()', () => {
  test('agrees with SciPy, over the golden tables', () => {
    expect(golden.fisher.length).toBeGreaterThan(200);
    for (const { table, p } of golden.fisher) {
      expect(Math.abs(fisherExact(...table) - p) / p, table.join(' ')).toBeLessThan(1e-9);
    }
  });

  test('gives 1.3e-8, when 0 of 15 stand against 15 of 15', () => {
    expect(fisherExact(0, 15, 15, 0)).toBeCloseTo(1.289e-8, 11);
  });
});

describe('bootstrapInterval()', () => {
  test('agrees with 200,000 NumPy draws, within the error of 10,000', () => {
    for (const { weight, strata, low, high } of golden.bootstrap) {
      const interval = bootstrapInterval(strata, { weight });
      expect(Math.abs(interval.low - low), weight).toBeLessThan(0.012);
      expect(Math.abs(interval.high - high), weight).toBeLessThan(0.012);
    }
  });

  test('repeats itself, when the seed is the same', () => {
    const strata = golden.bootstrap[0]!.strata;
    expect(bootstrapInterval(strata, { seed: 'a' })).toEqual(bootstrapInterval(strata, { seed: 'a' }));
    expect(bootstrapInterval(strata, { seed: 'a' })).not.toEqual(bootstrapInterval(strata, { seed: 'b' }));
  });

  test('throws, when no stratum holds an episode', () => {
    expect(() => bootstrapInterval([[{ sum: 0, count: 0 }], []])).toThrow(RangeError);
  });
});

describe('passAtK()', () => {
  test('agrees with the closed form, over the golden table', () => {
    for (const { n, passed, k, value } of golden.passAtK) {
      expect(passAtK(n, passed, k), `${passed}/${n} k=${k}`).toBeCloseTo(value, 12);
    }
  });
});

describe('passHatK()', () => {
  test('agrees with the closed form, over the golden table', () => {
    for (const { n, passed, k, value } of golden.passHatK) {
      expect(passHatK(n, passed, k), `${passed}/${n} k=${k}`).toBeCloseTo(value, 12);
    }
  });

  test('throws, when there are fewer samples than k', () => {
    expect(() => passHatK(3, 1, 4)).toThrow(RangeError);
    expect(() => passAtK(3, 1.5, 2)).toThrow(RangeError);
  });
});

describe('bootstrapStatistic()', () => {
  test('gives null, when draws often have no value', () => {
    const rate = ([sums]: readonly (readonly number[])[]) => (sums![1] === 0 ? null : sums![0]! / sums![1]!);
    expect(
      bootstrapStatistic(
        [
          [
            [0, 0],
            [1, 1],
          ],
        ],
        rate,
      ),
    ).toBeNull();
    expect(
      bootstrapStatistic(
        [
          [
            [0, 1],
            [1, 1],
          ],
        ],
        rate,
      ),
    ).toEqual({ low: 0, high: 1 });
    expect(bootstrapStatistic([[], []], rate)).toBeNull();
  });

  test('has no width, when every draw is the same', () => {
    const sum = (totals: readonly (readonly number[])[]) => totals.reduce((all, [one]) => all + one!, 0);
    expect(bootstrapStatistic([[[2], [2]], [[5]]], sum)).toEqual({ low: 9, high: 9 });
  });
});

describe('pairedBootstrap()', () => {
  test('agrees with 200,000 NumPy draws, within the error of 10,000', () => {
    for (const { strata, difference, low, high } of golden.paired) {
      const result = pairedBootstrap(strata);
      expect(result?.difference).toBeCloseTo(difference, 12);
      expect(Math.abs(result!.low - low)).toBeLessThan(0.02);
      expect(Math.abs(result!.high - high)).toBeLessThan(0.02);
    }
  });

  test('is narrower than unpaired ones, when the policies pass the same tasks', () => {
    const pairs = [0, 1].flatMap((sum) =>
      Array.from({ length: 20 }, () => ({ a: { sum, count: 1 }, b: { sum, count: 1 } })),
    );
    expect(pairedBootstrap([pairs])).toEqual({ difference: 0, low: 0, high: 0 });
  });

  test('gives null, when no task was played by both', () => {
    expect(pairedBootstrap([[{ a: { sum: 0, count: 0 }, b: { sum: 1, count: 1 } }]])).toBeNull();
  });
});

describe('mcnemarExact()', () => {
  test('agrees with statsmodels, over the golden tables', () => {
    expect(golden.mcnemar.length).toBeGreaterThan(30);
    for (const { onlyA, onlyB, p } of golden.mcnemar) {
      expect(Math.abs(mcnemarExact(onlyA, onlyB) - p) / p, `${onlyA} ${onlyB}`).toBeLessThan(1e-9);
    }
  });

  test('gives 1, when no pair is discordant', () => {
    expect(mcnemarExact(0, 0)).toBe(1);
    expect(() => mcnemarExact(-1, 2)).toThrow(RangeError);
  });
});

describe('holmAdjust()', () => {
  test('agrees with statsmodels, over the golden families', () => {
    for (const { values, adjusted } of golden.holm) {
      const ours = holmAdjust(values);
      expect(ours).toHaveLength(adjusted.length);
      for (const [index, value] of adjusted.entries()) expect(ours[index]).toBeCloseTo(value, 14);
    }
  });

  test('throws, when a value is no probability', () => {
    expect(() => holmAdjust([0.1, Number.NaN])).toThrow(RangeError);
    expect(holmAdjust([])).toEqual([]);
  });
});

describe('normalQuantile()', () => {
  test('agrees with SciPy, over the golden points', () => {
    for (const { p, z } of golden.normalQuantile) {
      expect(Math.abs(normalQuantile(p) - z), String(p)).toBeLessThanOrEqual(1e-13 * Math.max(1, Math.abs(z)));
    }
    expect(() => normalQuantile(1)).toThrow(RangeError);
  });
});

describe('dPrime()', () => {
  test('agrees with SciPy, over the golden counts', () => {
    for (const { counts, value } of golden.dPrime) expect(dPrime(...counts)).toBeCloseTo(value, 12);
  });

  test('stays finite, when every signal is hit and no alarm is false', () => {
    expect(dPrime(10, 10, 0, 10)).toBeGreaterThan(3);
    expect(() => dPrime(0, 0, 0, 10)).toThrow(RangeError);
  });
});

describe('tasksForDifference()', () => {
  test('agrees with statsmodels, over the golden rates', () => {
    for (const { rate, difference, n } of golden.power) {
      expect(tasksForDifference(rate, difference), `${rate}+${difference}`).toBe(Math.ceil(n));
    }
  });

  test('throws, when the other rate is none', () => {
    expect(() => tasksForDifference(0.95, 0.1)).toThrow(RangeError);
    expect(() => tasksForDifference(0.5, 0)).toThrow(RangeError);
  });
});

describe('tasksForPairedDifference()', () => {
  test('gives 80 % power, when all outcomes are enumerated', () => {
    for (const { discordant, difference, n, power } of golden.pairedPower) {
      expect(tasksForPairedDifference(discordant, difference)).toBe(n);
      expect(Math.abs(power - 0.8)).toBeLessThan(0.05);
    }
  });

  test('throws, when rates would differ by more than the pairs do', () => {
    expect(() => tasksForPairedDifference(0.1, 0.2)).toThrow(RangeError);
  });
});

describe('quantile()', () => {
  test('interpolates, when the share falls between two values', () => {
    expect(quantile([1, 2, 10], 0.75)).toBe(6);
    expect(median([9, 1, 2, 4])).toBe(3);
    expect(() => median([])).toThrow(RangeError);
  });
});
