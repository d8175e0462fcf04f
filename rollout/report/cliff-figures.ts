import { bootstrapStatistic, wilsonInterval } from '../stats/index.ts';
import type { Difference } from './arm-figures.ts';
import { cellKey, type Episode, isJudged } from './episode.ts';
import { countWhere, groupBy, makeStrata, meanOf } from './group.ts';

/** Where on the cliff a policy stands; per suite, since depths of two suites are not the same. */
export interface CliffFigures {
  readonly suite: string;
  /** The deepest depth whose Wilson lower bound is at least 50 %, all shallower ones too; null where D0 is not reached. */
  readonly reach: number | null;
  /** pass(D0) − pass(D1), op-counts alike; null where one was not played. */
  readonly tmux_tax: Difference | null;
}

export function makeCliffFigures(episodes: readonly Episode[]): readonly CliffFigures[] {
  const deep = episodes.filter((episode) => isJudged(episode) && episode.depth !== null);
  return [...groupBy(deep, ({ suite }) => suite)].map(([suite, ofSuite]) => ({
    suite,
    reach: findReach(ofSuite),
    tmux_tax: makeTax(ofSuite),
  }));
}

/** Depths from 0 on; one that was not played ends it. */
function findReach(episodes: readonly Episode[]): number | null {
  let reach: number | null = null;
  for (let depth = 0; ; depth += 1) {
    const there = episodes.filter((episode) => episode.depth === depth);
    if (there.length === 0) return reach;
    if (wilsonInterval(countPassed(there), there.length).low < 0.5) return reach;
    reach = depth;
  }
}

function makeTax(episodes: readonly Episode[]): Difference | null {
  const shallow = episodes.filter(({ depth }) => depth === 0 || depth === 1);
  const cells = [...groupBy(shallow, cellKey).values()];
  const depths = cells.map((cell) => cell[0]?.depth);
  if (!depths.includes(0) || !depths.includes(1)) return null;
  const keys = { stratum: cellKey, cluster: ({ task_hash }: Episode) => task_hash };
  const strata = makeStrata(shallow, keys, (cluster) => [countPassed(cluster), cluster.length]);
  const tax = (totals: readonly (readonly number[])[]) => {
    const rates = totals.map(([sum = 0, count = 0]) => sum / count);
    const at = (depth: number) => meanOf(rates.filter((_, index) => depths[index] === depth));
    return at(0) - at(1);
  };
  const whole = cells.map((cell) => [countPassed(cell), cell.length]);
  const { low, high } = bootstrapStatistic(strata, tax) ?? { low: 0, high: 0 };
  const exact = low === high ? { ci_low: null, ci_high: null } : { ci_low: low, ci_high: high };
  return { difference: tax(whole), ...exact };
}

function countPassed(episodes: readonly Episode[]): number {
  return countWhere(episodes, ({ passed }) => passed);
}
