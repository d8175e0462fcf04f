import type { RolloutRecord } from '../record/index.ts';
import { bootstrapInterval, passAtK, passHatK, wilsonInterval } from '../stats/index.ts';
import { makeFalseAlarms } from './arm-figures.ts';
import { cellKey, type Episode, isJudged } from './episode.ts';
import { isMissed, listDueEvents, makeEhcValue } from './event-figures.ts';
import { countWhere, groupBy, makeStrata, meanOf, sumOf } from './group.ts';

/** Why episodes were cut, counted. */
export type Truncations = Readonly<Record<'steps' | 'ticks' | 'time' | 'context', number>>;

/**
 * The figures of a set of episodes. Masked ones stand in `episodes` and `masked` only: no rate, mean or count of
 * behaviour includes them. What does not apply, or has no episode to speak of, is null.
 */
export interface Figures {
  readonly episodes: number;
  readonly scored: number;
  readonly flagged: number;
  readonly masked: number;
  readonly passed: number;
  /** passed / (scored + flagged). */
  readonly pass_rate: number | null;
  /** 95 %; `ci_method` says by which method. */
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly ci_method: 'wilson' | 'bootstrap' | null;
  readonly mean_reward: number | null;
  /** The mean of what guessing passes, as the tasks state it; null where none states more than 0.001. */
  readonly guess: number | null;
  /** Events that the rates are made of: those of the `event` arm that fired or that were left before they did. */
  readonly events: number;
  /** 1 − handled / events. */
  readonly missed_event_rate: number | null;
  /** The mean over kinds of 1 − missed-event rate. */
  readonly ehc: number | null;
  /** Of `none` episodes, those with a reaction. */
  readonly false_alarm_rate: number | null;
  /** Model answers without a valid action. */
  readonly format_failures: number;
  /** Episodes that were cut, and by what. */
  readonly truncated: number;
  readonly truncated_by: Truncations;
  /** pass@k by k (1 and the samples a task has), the mean over tasks; null where each task was run once. */
  readonly pass_at_k: Readonly<Record<string, number>> | null;
  /** pass^k, as `pass_at_k`: all of k samples pass. */
  readonly pass_hat_k: Readonly<Record<string, number>> | null;
}

/** What the episodes of a cell share; null where an axis does not apply or, in totals, is mixed. */
export interface Axes {
  readonly suite: string | null;
  readonly pillar: string | null;
  readonly depth: number | null;
  readonly ops: number | null;
  readonly kind: string | null;
  readonly level: number | null;
  readonly arm: string | null;
  /** Events of an episode. */
  readonly count: number | null;
  readonly delegation: string | null;
}

export type Cell = Axes & Figures;

/** One cell, with Wilson's interval. */
export function makeCell(records: readonly RolloutRecord[]): Cell {
  return { ...makeAxes(records), ...makeFigures(records) };
}

/**
 * Several cells as one, averaged over all episodes or over the cells. The interval is the seeded bootstrap over cells
 * and tasks; where no draw can differ, since within each cell all tasks went alike, a width of 0 would promise too
 * much, and it is Wilson's over the episodes.
 */
export function makeAggregate(records: readonly RolloutRecord[], weight: 'episode' | 'stratum'): Cell {
  const judged = records.filter(isJudged);
  const cell = makeCell(records);
  if (judged.length === 0) return cell;
  const strata = makeStrata(judged, episodeKeys, (cluster) => [countPassed(cluster), cluster.length]).map((stratum) =>
    stratum.map(([sum = 0, count = 0]) => ({ sum, count })),
  );
  const { low, high } = bootstrapInterval(strata, { weight });
  const rates = strata.map((stratum) => sumOf(stratum, ({ sum }) => sum) / sumOf(stratum, ({ count }) => count));
  const interval = low === high ? {} : ({ ci_low: low, ci_high: high, ci_method: 'bootstrap' } as const);
  return { ...cell, ...(weight === 'stratum' ? { pass_rate: meanOf(rates) } : {}), ...interval };
}

const episodeKeys = { stratum: cellKey, cluster: ({ task_hash }: Episode) => task_hash };

function makeFigures(episodes: readonly Episode[]): Figures {
  const judged = episodes.filter(isJudged);
  const passed = countPassed(judged);
  const interval = judged.length === 0 ? null : wilsonInterval(passed, judged.length);
  const truncated_by = countTruncations(judged);
  return {
    episodes: episodes.length,
    scored: countWhere(episodes, ({ outcome }) => outcome === 'scored'),
    flagged: countWhere(episodes, ({ outcome }) => outcome === 'flagged'),
    masked: episodes.length - judged.length,
    passed,
    pass_rate: judged.length === 0 ? null : passed / judged.length,
    ci_low: interval?.low ?? null,
    ci_high: interval?.high ?? null,
    ci_method: interval === null ? null : 'wilson',
    mean_reward: judged.length === 0 ? null : meanOf(judged.map(({ reward }) => reward ?? 0)),
    guess: makeGuess(judged),
    ...makeEventShares(judged),
    format_failures: sumOf(judged, ({ format_failures }) => format_failures),
    truncated: sumOf(Object.values(truncated_by), (count) => count),
    truncated_by,
    pass_at_k: overSamples(judged, passAtK),
    pass_hat_k: overSamples(judged, passHatK),
  };
}

function makeGuess(judged: readonly Episode[]): number | null {
  const guesses = judged.map(({ guess }) => guess ?? 0);
  return guesses.some((guess) => guess > 0.001) ? meanOf(guesses) : null;
}

function makeEventShares(judged: readonly Episode[]) {
  const due = listDueEvents(judged);
  return {
    events: due.length,
    missed_event_rate: due.length === 0 ? null : countWhere(due, isMissed) / due.length,
    ehc: makeEhcValue(due),
    false_alarm_rate: makeFalseAlarms(judged).rate,
  };
}

function makeAxes(episodes: readonly Episode[]): Axes {
  const shared = <Key extends keyof Axes>(key: Key): Axes[Key] | null => {
    const first = episodes[0]?.[key] ?? null;
    return episodes.every((episode) => (episode[key] ?? null) === first) ? (first as Axes[Key]) : null;
  };
  return {
    suite: shared('suite'),
    pillar: shared('pillar'),
    depth: shared('depth'),
    ops: shared('ops'),
    kind: shared('kind'),
    level: shared('level'),
    arm: shared('arm'),
    count: shared('count'),
    delegation: shared('delegation'),
  };
}

function countPassed(episodes: readonly Episode[]): number {
  return countWhere(episodes, ({ passed }) => passed);
}

function countTruncations(episodes: readonly Episode[]): Truncations {
  const by = (reason: keyof Truncations) => countWhere(episodes, ({ truncated_by }) => truncated_by === reason);
  return { steps: by('steps'), ticks: by('ticks'), time: by('time'), context: by('context') };
}

/** Over the tasks that have as many samples as the best sampled one, so that every k means the same tasks. */
function overSamples(
  judged: readonly Episode[],
  estimate: (n: number, passed: number, k: number) => number,
): Readonly<Record<string, number>> | null {
  const tasks = [...groupBy(judged, ({ task_hash }) => task_hash).values()];
  const samples = Math.max(0, ...tasks.map((episodes) => episodes.length));
  if (samples < 2) return null;
  const full = tasks.filter((episodes) => episodes.length === samples);
  const at = (k: number) => meanOf(full.map((episodes) => estimate(samples, countPassed(episodes), k)));
  return { 1: at(1), [samples]: at(samples) };
}
