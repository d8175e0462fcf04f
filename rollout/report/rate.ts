import { bootstrapInterval, type Cluster, wilsonInterval } from '../stats/index.ts';

/** A share with its n and its 95 % interval. What is made of nothing is null, never 0. */
export interface Rate {
  readonly count: number;
  readonly n: number;
  readonly rate: number | null;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly ci_method: 'wilson' | 'bootstrap' | null;
}

/** A plain count of independent trials, with Wilson's interval. */
export function makeRate(count: number, n: number): Rate {
  if (n === 0) return { count, n, rate: null, ci_low: null, ci_high: null, ci_method: null };
  const { low, high } = wilsonInterval(count, n);
  return { count, n, rate: count / n, ci_low: low, ci_high: high, ci_method: 'wilson' };
}

/**
 * A share over several cells, or over tasks that hold several trials each: the seeded bootstrap over cells and tasks.
 * Wilson's for one cell of single trials, and where no draw can differ, since a width of 0 would promise too much.
 */
export function makeClusteredRate(strata: readonly (readonly Cluster[])[]): Rate {
  const clusters = strata.flat();
  const count = clusters.reduce((all, { sum }) => all + sum, 0);
  const n = clusters.reduce((all, one) => all + one.count, 0);
  const plain = makeRate(count, n);
  const filled = strata.filter((stratum) => stratum.some((cluster) => cluster.count > 0));
  if (n === 0 || (filled.length === 1 && clusters.every((cluster) => cluster.count <= 1))) return plain;
  const { low, high } = bootstrapInterval(strata);
  return low === high ? plain : { ...plain, ci_low: low, ci_high: high, ci_method: 'bootstrap' };
}
