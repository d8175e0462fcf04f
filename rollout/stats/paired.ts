import { bootstrapStatistic, type Sums } from './bootstrap.ts';
import type { Interval } from './wilson.ts';

/** Two policies on one task instance: how often each passed, of how many episodes. */
export interface Pair {
  readonly a: { readonly sum: number; readonly count: number };
  readonly b: { readonly sum: number; readonly count: number };
}

export interface PairedDifference extends Interval {
  /** mean(b) − mean(a). */
  readonly difference: number;
}

/**
 * The difference of two policies on the same tasks, b − a, over all episodes alike, with the 95 % percentile interval of
 * the paired bootstrap: pairs are drawn whole, within strata (cells). Null without a pair of which both sides hold an
 * episode; others are left out.
 */
export function pairedBootstrap(
  strata: readonly (readonly Pair[])[],
  options: { readonly draws?: number; readonly seed?: string } = {},
): PairedDifference | null {
  const sums = strata
    .map((pairs) => pairs.filter(({ a, b }) => a.count > 0 && b.count > 0))
    .map((pairs) => pairs.map(({ a, b }): Sums => [a.sum, a.count, b.sum, b.count]));
  const whole = sums.map((pairs) => [0, 1, 2, 3].map((part) => pairs.reduce((all, one) => all + (one[part] ?? 0), 0)));
  if (whole.every(([, count = 0]) => count === 0)) return null;
  const interval = bootstrapStatistic(sums, meanDifference, options);
  return interval === null ? null : { difference: meanDifference(whole), ...interval };
}

function meanDifference(totals: readonly Sums[]): number {
  const part = (index: number) => totals.reduce((all, sums) => all + (sums[index] ?? 0), 0);
  return part(2) / part(3) - part(0) / part(1);
}
