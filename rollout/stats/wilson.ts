/** A two-sided 95 % interval for a proportion. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

/**
 * Wilson's score interval (1927), 95 %, without continuity correction. Throws a RangeError unless
 * 0 ≤ `passed` ≤ `n` and `n` ≥ 1: a proportion of nothing has no interval.
 */
export function wilsonInterval(passed: number, n: number): Interval {
  if (!Number.isInteger(passed) || !Number.isInteger(n) || n < 1 || passed < 0 || passed > n) {
    throw new RangeError(`Cannot make an interval: ${passed} of ${n} is no proportion`);
  }
  const rate = passed / n;
  const scale = 1 + z ** 2 / n;
  const centre = (rate + z ** 2 / (2 * n)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2));
  return {
    low: passed === 0 ? 0 : Math.max(0, centre - half),
    high: passed === n ? 1 : Math.min(1, centre + half),
  };
}
