import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bootstrapInterval, type Cluster, fisherExact, passAtK, wilsonInterval } from './index.ts';

interface Golden {
  readonly wilson: readonly { passed: number; n: number; low: number; high: number }[];
  readonly fisher: readonly { table: [number, number, number, number]; p: number }[];
  readonly bootstrap: readonly { weight: 'episode' | 'stratum'; strata: Cluster[][]; low: number; high: number }[];
  readonly passAtK: readonly { n: number; passed: number; k: number; value: number }[];
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
