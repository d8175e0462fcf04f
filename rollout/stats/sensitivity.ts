import { normalQuantile } from './normal.ts';

/**
 * Sensitivity d′ = z(hit rate) − z(false-alarm rate) (Macmillan & Creelman), each rate with the log-linear correction
 * (Hautus 1995): (count + 0.5) / (n + 1), so that 0 and 1 stay finite. Throws a RangeError where a count is none or
 * exceeds its n.
 */
export function dPrime(hits: number, signals: number, falseAlarms: number, noises: number): number {
  return normalQuantile(correctRate(hits, signals)) - normalQuantile(correctRate(falseAlarms, noises));
}

function correctRate(count: number, n: number): number {
  if (!(count >= 0 && count <= n && n >= 1)) throw new RangeError(`Cannot take d′: ${count} of ${n} is no proportion`);
  return (count + 0.5) / (n + 1);
}
