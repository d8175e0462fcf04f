/**
 * pass@k: the unbiased estimate (Chen et al. 2021) of the probability that at least one of `k` samples passes, from
 * `n` samples of which `passed` did: 1 − C(n − passed, k) / C(n, k). Throws a RangeError unless 1 ≤ k ≤ n.
 */
export function passAtK(n: number, passed: number, k: number): number {
  if (k < 1 || k > n || passed < 0 || passed > n) {
    throw new RangeError(`Cannot estimate pass@${k}: ${passed} of ${n} samples passed`);
  }
  if (n - passed < k) return 1;
  let miss = 1;
  for (let index = n - passed + 1; index <= n; index += 1) miss *= 1 - k / index;
  return 1 - miss;
}
