import { bootstrapStatistic } from '../stats/index.ts';
import { cellKey, type Episode, isEventArm, isJudged } from './episode.ts';
import { isMissed, listDueEvents, makeEventRate } from './event-figures.ts';
import { countWhere, groupBy, makeStrata, sumOf } from './group.ts';
import { makeClusteredRate, type Rate } from './rate.ts';

/** The suite by category (A-SESS, B-DIE, …) and by tier. */
export interface SuiteFigures {
  readonly categories: readonly { readonly category: string; readonly passed: Rate; readonly missed: Rate }[];
  readonly tiers: readonly { readonly tier: number; readonly passed: Rate }[];
  /** The pass rate with tier T1 to T4 weighing 1 to 4; null without tiers. */
  readonly score: { readonly value: number; readonly ci_low: number | null; readonly ci_high: number | null } | null;
}

/** Of judged episodes that have a category or a tier, in the arm in which events happen unannounced. */
export function makeSuiteFigures(episodes: readonly Episode[]): SuiteFigures {
  const judged = episodes.filter((episode) => isJudged(episode) && isEventArm(episode));
  const named = groupBy(
    judged.filter(({ category }) => category !== null),
    ({ category }) => category ?? '',
  );
  const tiered = judged.filter(({ tier }) => tier !== null);
  const tiers = groupBy(tiered, ({ tier }) => String(tier));
  return {
    categories: [...named.keys()].sort().map((category) => {
      const own = named.get(category) ?? [];
      return { category, passed: passRate(own), missed: makeEventRate(listDueEvents(own), isMissed) };
    }),
    tiers: [...tiers.keys()].sort().map((tier) => ({ tier: Number(tier), passed: passRate(tiers.get(tier) ?? []) })),
    score: makeScore(tiered),
  };
}

/** Samples of a task are drawn together. */
function passRate(episodes: readonly Episode[]): Rate {
  const clusters = [...groupBy(episodes, ({ task_hash }) => task_hash).values()];
  return makeClusteredRate([clusters.map((task) => ({ sum: countPassed(task), count: task.length }))]);
}

function makeScore(tiered: readonly Episode[]): SuiteFigures['score'] {
  const sums = (own: readonly Episode[]) => [
    sumOf(own, ({ tier, passed }) => (passed ? (tier ?? 0) : 0)),
    sumOf(own, ({ tier }) => tier ?? 0),
  ];
  const weigh = (totals: readonly (readonly number[])[]) => {
    const weight = sumOf(totals, ([, one = 0]) => one);
    return weight === 0 ? null : sumOf(totals, ([one = 0]) => one) / weight;
  };
  const value = weigh([sums(tiered)]);
  if (value === null) return null;
  const keys = { stratum: cellKey, cluster: ({ task_hash }: Episode) => task_hash };
  const interval = bootstrapStatistic(makeStrata(tiered, keys, sums), weigh);
  const exact = interval === null || interval.low === interval.high;
  return { value, ci_low: exact ? null : interval.low, ci_high: exact ? null : interval.high };
}

function countPassed(episodes: readonly Episode[]): number {
  return countWhere(episodes, ({ passed }) => passed);
}
