import seedrandom from 'seedrandom';
import { quantile } from './quantile.ts';
import type { Interval } from './wilson.ts';

/** The episodes of one task instance: they share its randomness, so they are drawn together. */
export interface Cluster {
  readonly sum: number;
  readonly count: number;
}

/** One task instance as the sums that a statistic is made of; all of one bootstrap are equally long. */
export type Sums = readonly number[];

export interface BootstrapOptions {
  /** @default 10000 */
  readonly draws?: number;
  /** The same seed gives the same interval. @default 'muxgym' */
  readonly seed?: string;
  /** What is averaged: all episodes alike, or the means of the strata alike. @default 'episode' */
  readonly weight?: 'episode' | 'stratum';
}

/**
 * The 95 % percentile interval of a mean by stratified cluster bootstrap: in each draw every stratum (a cell) draws as
 * many clusters (task instances) as it has, with replacement. Strata without episodes are left out. Throws a
 * RangeError where nothing is left.
 */
export function bootstrapInterval(strata: readonly (readonly Cluster[])[], options: BootstrapOptions = {}): Interval {
  const full = strata.map((clusters) => clusters.filter((cluster) => cluster.count > 0)).filter((c) => c.length > 0);
  if (full.length === 0) throw new RangeError('Cannot make an interval: no stratum holds an episode');
  const sums = full.map((clusters) => clusters.map(({ sum, count }) => [sum, count]));
  const interval = bootstrapStatistic(sums, weightedMean(options.weight ?? 'episode'), options);
  if (interval === null) throw new RangeError('Cannot make an interval: draws have no mean');
  return interval;
}

/**
 * The 95 % percentile interval of any statistic of sums, by the same stratified cluster bootstrap. `statistic` gets
 * the sums of each stratum's draw and answers null where it has no value there, as a rate of nothing has none; such
 * draws are left out. Null where fewer than 99 % of the draws have a value: then the sample is too small for it.
 */
export function bootstrapStatistic(
  strata: readonly (readonly Sums[])[],
  statistic: (totals: readonly Sums[]) => number | null,
  options: Omit<BootstrapOptions, 'weight'> = {},
): Interval | null {
  const { draws = 10_000, seed = 'muxgym' } = options;
  const full = strata.filter((clusters) => clusters.length > 0);
  if (full.length === 0) return null;
  const packed = full.map(pack);
  const totals = packed.map(({ width }) => new Array<number>(width).fill(0));
  const random = seedrandom.alea(seed);
  if (full.every(isUniform)) return drawOnce(packed, totals, statistic);
  const values: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    for (const [index, stratum] of packed.entries()) resample(stratum, random, totals[index] ?? []);
    const value = statistic(totals);
    if (value !== null) values.push(value);
  }
  if (values.length < 0.99 * draws) return null;
  const sorted = Float64Array.from(values).sort();
  return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

/** Whether all draws of a stratum are the same. */
function isUniform([first = [], ...rest]: readonly Sums[]): boolean {
  return rest.every((sums) => sums.every((value, index) => value === first[index]));
}

function drawOnce(
  strata: readonly Packed[],
  totals: number[][],
  statistic: (totals: readonly Sums[]) => number | null,
): Interval | null {
  for (const [index, stratum] of strata.entries()) resample(stratum, () => 0, totals[index] ?? []);
  const value = statistic(totals);
  return value === null ? null : { low: value, high: value };
}

/** A stratum's clusters in one row of memory: draws read them ten thousand times. */
interface Packed {
  readonly size: number;
  readonly width: number;
  readonly values: Float64Array;
}

function pack(clusters: readonly Sums[]): Packed {
  return { size: clusters.length, width: clusters[0]?.length ?? 0, values: Float64Array.from(clusters.flat()) };
}

/** Writes the sums of one draw into `total`. */
function resample({ size, width, values }: Packed, random: () => number, total: number[]): void {
  total.fill(0);
  for (let drawn = 0; drawn < size; drawn += 1) {
    const start = Math.floor(random() * size) * width;
    for (let index = 0; index < width; index += 1) total[index] = (total[index] ?? 0) + (values[start + index] ?? 0);
  }
}

function weightedMean(weight: 'episode' | 'stratum'): (totals: readonly Sums[]) => number {
  if (weight === 'stratum') {
    return (totals) => totals.reduce((mean, [sum = 0, count = 0]) => mean + sum / count, 0) / totals.length;
  }
  return (totals) => {
    const sum = totals.reduce((all, [one = 0]) => all + one, 0);
    return sum / totals.reduce((all, [, count = 0]) => all + count, 0);
  };
}
