/**
 * pass@k: the unbiased estimate (Chen et al. 2021) of the probability that at least one of `k` samples passes, from
 * `n` samples of which `passed` did: 1 − C(n − passed, k) / C(n, k). Throws a RangeError unless 1 ≤ k ≤ n.
 */
export function passAtK(n: number, passed: number, k: number): number {
  requireSamples(n, passed, k);
  return 1 - chooseRatio(n - passed, n, k);
}

/**
 * pass^k: the unbiased estimate of the probability that all of `k` samples pass, C(passed, k) / C(n, k)
 * (Yao et al. 2024, tau-bench). Throws a RangeError unless 1 ≤ k ≤ n.
 */
export function passHatK(n: number, passed: number, k: number): number {
  requireSamples(n, passed, k);
  return chooseRatio(passed, n, k);
}

function requireSamples(n: number, passed: number, k: number): void {
  const whole = [n, passed, k].every(Number.isInteger);
  if (!whole || k < 1 || k > n || passed < 0 || passed > n) {
    throw new RangeError(`Cannot estimate pass of ${k}: ${passed} of ${n} samples passed`);
  }
}

/** C(part, k) / C(n, k) without either, which overflow. */
function chooseRatio(part: number, n: number, k: number): number {
  let ratio = 1;
  for (let index = 0; index < k; index += 1) ratio *= Math.max(0, part - index) / (n - index);
  return ratio;
}
