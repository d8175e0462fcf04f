import seedrandom from 'seedrandom';
import type { Interval } from './wilson.ts';

/** The episodes of one task instance: they share its randomness, so they are drawn together. */
export interface Cluster {
  readonly sum: number;
  readonly count: number;
}

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
  const { draws = 10_000, seed = 'muxgym', weight = 'episode' } = options;
  const full = strata.map((clusters) => clusters.filter((cluster) => cluster.count > 0)).filter((c) => c.length > 0);
  if (full.length === 0) throw new RangeError('Cannot make an interval: no stratum holds an episode');
  const random = seedrandom.alea(seed);
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    means[draw] = combine(
      full.map((clusters) => resample(clusters, random)),
      weight,
    );
  }
  means.sort();
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

function resample(clusters: readonly Cluster[], random: () => number): Cluster {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < clusters.length; index += 1) {
    const cluster = clusters[Math.floor(random() * clusters.length)];
    sum += cluster?.sum ?? 0;
    count += cluster?.count ?? 0;
  }
  return { sum, count };
}

function combine(strata: readonly Cluster[], weight: 'episode' | 'stratum'): number {
  if (weight === 'stratum') return strata.reduce((total, { sum, count }) => total + sum / count, 0) / strata.length;
  const sum = strata.reduce((total, stratum) => total + stratum.sum, 0);
  return sum / strata.reduce((total, stratum) => total + stratum.count, 0);
}

/** Linear interpolation between order statistics (NumPy's default). */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}
