import { bootstrapStatistic, dPrime, mcnemarExact, type PairedDifference, pairedBootstrap } from '../stats/index.ts';
import { baseTask, cellKey, type Episode, isJudged } from './episode.ts';
import { countWhere, groupBy, makeStrata, sumOf } from './group.ts';
import { makeClusteredRate, type Rate } from './rate.ts';

/** What the three arms of event tasks tell apart; null where an arm was not played. */
export interface ArmFigures {
  /** pass(told) − pass(event), paired by task. */
  readonly missing_event_effect: EffectOfTelling | null;
  /** pass(A) − pass(B), the published control, over different tasks. */
  readonly published_control: Difference | null;
  /** The share of `none` episodes with a reaction. */
  readonly false_alarms: Rate;
  readonly d_prime: Sensitivity | null;
}

export interface Difference {
  readonly difference: number;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
}

export interface EffectOfTelling extends Difference {
  readonly tasks: number;
  readonly passed_event: number;
  readonly passed_told: number;
  /** Exact McNemar over the pairs of one sample each. */
  readonly p: number;
  /** Pairs that only one arm passed. */
  readonly only_event: number;
  readonly only_told: number;
  readonly pairs: number;
}

export interface Sensitivity {
  readonly value: number;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  /** `event` episodes with a right reaction, and all of them. */
  readonly hits: number;
  readonly signals: number;
  readonly false_alarms: number;
  readonly noises: number;
}

export function makeArmFigures(episodes: readonly Episode[]): ArmFigures {
  const judged = episodes.filter(isJudged);
  return {
    missing_event_effect: makeEffect(judged),
    published_control: makePublishedControl(judged),
    false_alarms: makeFalseAlarms(judged),
    d_prime: makeSensitivity(judged),
  };
}

/** A reaction where the record has one, of whatever event. */
function hasReaction({ events }: Episode): boolean {
  return events.some(({ reacted_tick }) => reacted_tick !== null);
}

/** The share of `none` episodes with a reaction; its n is 0 where that arm was not played. */
export function makeFalseAlarms(judged: readonly Episode[]): Rate {
  const none = judged.filter(({ arm }) => arm === 'none');
  const keys = { stratum: cellKey, cluster: ({ task_hash }: Episode) => task_hash };
  const strata = makeStrata(none, keys, (cluster) => [countWhere(cluster, hasReaction), cluster.length]);
  return makeClusteredRate(strata.map((stratum) => stratum.map(([sum = 0, count = 0]) => ({ sum, count }))));
}

/** Cells of all arms of the same tasks are one. */
function armlessKey(episode: Episode): string {
  return cellKey({ ...episode, arm: null });
}

function makeEffect(judged: readonly Episode[]): EffectOfTelling | null {
  const played = judged.filter(({ arm }) => arm === 'event' || arm === 'told');
  const strata = [...groupBy(played, armlessKey).values()].map((stratum) => [...groupBy(stratum, baseTask).values()]);
  const whole = strata.map((tasks) => tasks.filter((task) => sides(task).every((side) => side.length > 0)));
  const pairs = whole.map((tasks) => tasks.map(toPair));
  const effect = pairedBootstrap(pairs);
  if (effect === null) return null;
  const matched = whole.flat().flatMap(matchSamples);
  const only_event = countWhere(matched, ([event, told]) => event.passed && !told.passed);
  const only_told = countWhere(matched, ([event, told]) => told.passed && !event.passed);
  return {
    ...toDifference(effect),
    tasks: pairs.flat().length,
    passed_event: sumOf(pairs.flat(), ({ a }) => a.sum) / sumOf(pairs.flat(), ({ a }) => a.count),
    passed_told: sumOf(pairs.flat(), ({ b }) => b.sum) / sumOf(pairs.flat(), ({ b }) => b.count),
    p: mcnemarExact(only_event, only_told),
    only_event,
    only_told,
    pairs: matched.length,
  };
}

function sides(task: readonly Episode[]): readonly [readonly Episode[], readonly Episode[]] {
  return [task.filter(({ arm }) => arm === 'event'), task.filter(({ arm }) => arm === 'told')];
}

function toPair(task: readonly Episode[]) {
  const [event, told] = sides(task);
  return { a: countSide(event), b: countSide(told) };
}

function countSide(side: readonly Episode[]) {
  return { sum: countWhere(side, ({ passed }) => passed), count: side.length };
}

function matchSamples(task: readonly Episode[]): readonly (readonly [Episode, Episode])[] {
  const [event, told] = sides(task);
  return event.flatMap((one) =>
    told.filter(({ sample }) => sample === one.sample).map((other) => [one, other] as const),
  );
}

function toDifference({ difference, low, high }: PairedDifference): Difference {
  const exact = low === high ? { ci_low: null, ci_high: null } : { ci_low: low, ci_high: high };
  return { difference, ...exact };
}

/** Solo tasks against event tasks in the `event` arm; the tasks differ, so they are drawn apart. */
function makePublishedControl(judged: readonly Episode[]): Difference | null {
  const played = judged.filter(({ pillar, arm }) => pillar === 'A' || (pillar === 'B' && (arm ?? 'event') === 'event'));
  const side = (episodes: readonly Episode[], pillar: string) => {
    const { sum, count } = countSide(episodes.filter((episode) => episode.pillar === pillar));
    return [sum, count];
  };
  const keys = { stratum: cellKey, cluster: ({ task_hash }: Episode) => task_hash };
  const strata = makeStrata(played, keys, (cluster) => [...side(cluster, 'A'), ...side(cluster, 'B')]);
  const difference = subtractRates([[...side(played, 'A'), ...side(played, 'B')]]);
  if (difference === null) return null;
  const { low, high } = bootstrapStatistic(strata, subtractRates) ?? { low: 0, high: 0 };
  return toDifference({ difference, low, high });
}

function subtractRates(totals: readonly (readonly number[])[]): number | null {
  const [sumA = 0, countA = 0, sumB = 0, countB = 0] = addUp(totals);
  return countA === 0 || countB === 0 ? null : sumA / countA - sumB / countB;
}

function addUp(totals: readonly (readonly number[])[]): readonly number[] {
  return (totals[0] ?? []).map((_, index) => sumOf(totals, (total) => total[index] ?? 0));
}

/** Both rates are of episodes with a reaction: of those in which something happened, and of those in which nothing did. */
function makeSensitivity(judged: readonly Episode[]): Sensitivity | null {
  const played = judged.filter((episode) => episode.arm === 'none' || isSignal(episode));
  const keys = { stratum: armlessKey, cluster: baseTask };
  const strata = makeStrata(played, keys, countReactions);
  const [hits = 0, signals = 0, false_alarms = 0, noises = 0] = countReactions(played);
  const value = sensitivityOf([[hits, signals, false_alarms, noises]]);
  if (value === null) return null;
  const { low, high } = bootstrapStatistic(strata, sensitivityOf) ?? { low: 0, high: 0 };
  const exact = low === high ? { ci_low: null, ci_high: null } : { ci_low: low, ci_high: high };
  return { value, ...exact, hits, signals, false_alarms, noises };
}

/** An `event` episode in which at least one event was due. */
function isSignal({ arm, events }: Episode): boolean {
  return arm === 'event' && events.some(({ outcome }) => outcome !== 'not-fired' && outcome !== 'void');
}

function countReactions(episodes: readonly Episode[]): readonly number[] {
  const signals = episodes.filter(({ arm }) => arm === 'event');
  const noises = episodes.filter(({ arm }) => arm === 'none');
  return [countWhere(signals, hasReaction), signals.length, countWhere(noises, hasReaction), noises.length];
}

function sensitivityOf(totals: readonly (readonly number[])[]): number | null {
  const [hits = 0, signals = 0, alarms = 0, noises = 0] = addUp(totals);
  return signals === 0 || noises === 0 ? null : dPrime(hits, signals, alarms, noises);
}
