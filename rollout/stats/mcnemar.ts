/**
 * McNemar's exact test, two-sided, from the discordant pairs alone: `onlyA` that only the first passed, `onlyB` that
 * only the second did. Twice the smaller binomial tail at 1/2, at most 1 (statsmodels' `mcnemar(exact=True)`).
 * Throws a RangeError where a count is not a non-negative integer.
 */
export function mcnemarExact(onlyA: number, onlyB: number): number {
  for (const count of [onlyA, onlyB]) {
    if (!Number.isInteger(count) || count < 0) throw new RangeError(`Cannot test pairs: ${count} is no count`);
  }
  const n = onlyA + onlyB;
  let logTerm = -n * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let k = 1; k <= Math.min(onlyA, onlyB); k += 1) {
    logTerm += Math.log((n - k + 1) / k);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}
