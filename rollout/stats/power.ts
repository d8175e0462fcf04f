import { normalQuantile } from './normal.ts';

export interface PowerOptions {
  /** Two-sided. @default 0.05 */
  readonly alpha?: number;
  /** The chance of seeing the difference. @default 0.8 */
  readonly power?: number;
}

/**
 * Tasks that each of two policies needs, on different tasks, to see pass rates `rate` and `rate + difference` apart
 * (Fleiss, Levin & Paik 2003, without continuity correction). Episodes of one task count as one. Throws a RangeError
 * unless both rates lie in [0, 1] and differ.
 */
export function tasksForDifference(rate: number, difference: number, options: PowerOptions = {}): number {
  const other = rate + difference;
  if (!(rate >= 0 && rate <= 1 && other >= 0 && other <= 1 && difference !== 0)) {
    throw new RangeError(`Cannot plan for a difference: ${rate} and ${other} are not two rates`);
  }
  const { alpha = 0.05, power = 0.8 } = options;
  const mean = (rate + other) / 2;
  const spread = Math.sqrt(rate * (1 - rate) + other * (1 - other));
  const reach = normalQuantile(1 - alpha / 2) * Math.sqrt(2 * mean * (1 - mean)) + normalQuantile(power) * spread;
  return Math.ceil((reach / difference) ** 2);
}

/**
 * Tasks that two policies need together, on the same tasks, to see a difference of `difference` where they differ on a
 * share `discordant` of the tasks (McNemar's test; Connor 1987). Throws a RangeError unless
 * 0 < |difference| ≤ discordant ≤ 1: rates cannot differ by more than they differ on tasks.
 */
export function tasksForPairedDifference(discordant: number, difference: number, options: PowerOptions = {}): number {
  if (!(difference !== 0 && Math.abs(difference) <= discordant && discordant <= 1)) {
    throw new RangeError(`Cannot plan for a difference of ${difference} with ${discordant} of the pairs discordant`);
  }
  const { alpha = 0.05, power = 0.8 } = options;
  const spread = Math.sqrt(discordant - difference ** 2);
  const reach = normalQuantile(1 - alpha / 2) * Math.sqrt(discordant) + normalQuantile(power) * spread;
  return Math.ceil((reach / difference) ** 2);
}
