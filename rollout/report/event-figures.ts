import { eventOutcomes } from '../../env/index.ts';
import { bootstrapStatistic, median, quantile } from '../stats/index.ts';
import { cellKey, type Episode, type EventRecord, isEventArm, isJudged } from './episode.ts';
import { countWhere, groupBy, makeStrata, meanOf, sumOf } from './group.ts';
import { makeClusteredRate, type Rate } from './rate.ts';

/** The figures of one kind of event, over the events that fired or that the agent left before they did. */
export interface EventFigures {
  readonly kind: string;
  readonly events: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** 1 − handled / events. */
  readonly missed: Rate;
  /** Of those events. */
  readonly never_perceived: Rate;
  /** handled / perceived. */
  readonly reaction_accuracy: Rate;
  /** Perceived by what was set before, of the perceived. */
  readonly armed: Rate;
  /** Ticks from visible to perceived, over the perceived: median and quartiles. */
  readonly notice_latency: Spread | null;
  /** Looks at the target before the event showed. */
  readonly polls: Spread | null;
}

/** Median and quartiles of n values. */
export interface Spread {
  readonly n: number;
  readonly median: number;
  readonly quartile_low: number;
  readonly quartile_high: number;
}

/** An event and the episode that it belongs to. */
export interface EpisodeEvent {
  readonly episode: Episode;
  readonly event: EventRecord;
}

/**
 * The events that rates are made of: of judged episodes in which events happen unannounced, but for those that never
 * fired (the episode was cut before) and those whose subject the agent ended itself.
 */
export function listDueEvents(episodes: readonly Episode[]): readonly EpisodeEvent[] {
  return listEvents(episodes).filter(({ event }) => event.outcome !== 'not-fired' && event.outcome !== 'void');
}

function listEvents(episodes: readonly Episode[]): readonly EpisodeEvent[] {
  return episodes
    .filter((episode) => isJudged(episode) && isEventArm(episode))
    .flatMap((episode) => episode.events.map((event) => ({ episode, event })));
}

/** One entry for each kind of event, sorted by name. */
export function makeEventFigures(episodes: readonly Episode[]): readonly EventFigures[] {
  const kinds = groupBy(listEvents(episodes), ({ event }) => event.kind);
  return [...kinds.keys()].sort().map((kind) => makeKindFigures(kind, kinds.get(kind) ?? []));
}

function makeKindFigures(kind: string, all: readonly EpisodeEvent[]): EventFigures {
  const due = all.filter(({ event }) => event.outcome !== 'not-fired' && event.outcome !== 'void');
  const perceived = due.filter(isPerceived);
  const outcomes = eventOutcomes.map((outcome) => [outcome, countWhere(all, ({ event }) => event.outcome === outcome)]);
  return {
    kind,
    events: due.length,
    outcomes: Object.fromEntries(outcomes),
    missed: makeEventRate(due, isMissed),
    never_perceived: makeEventRate(due, (one) => !isPerceived(one)),
    reaction_accuracy: makeEventRate(perceived, (one) => !isMissed(one)),
    armed: makeEventRate(perceived, ({ event }) => event.armed === true),
    notice_latency: makeSpread(perceived.flatMap(({ event }) => latencyOf(event))),
    polls: makeSpread(due.map(({ event }) => event.polls)),
  };
}

/** A share of events, with those of one task drawn together. */
export function makeEventRate(events: readonly EpisodeEvent[], holds: (one: EpisodeEvent) => boolean): Rate {
  return makeClusteredRate(
    makeStrata(events, eventKeys, (cluster) => [countWhere(cluster, holds), cluster.length]).map((stratum) =>
      stratum.map(([sum = 0, count = 0]) => ({ sum, count })),
    ),
  );
}

/** Events of one cell are drawn by their tasks. */
export const eventKeys = {
  stratum: ({ episode }: EpisodeEvent) => cellKey(episode),
  cluster: ({ episode }: EpisodeEvent) => episode.task_hash,
};

/** Not handled: not perceived, not reacted to, too late, or left before. */
export function isMissed({ event }: EpisodeEvent): boolean {
  return event.outcome !== 'handled';
}

/** A look that would have shown it, or a reaction that proves one. */
export function isPerceived({ event }: EpisodeEvent): boolean {
  return event.perceived_tick !== null || provenPerceived.includes(event.outcome);
}

const provenPerceived: readonly EventRecord['outcome'][] = ['handled', 'late', 'perceived-not-reacted'];

/** Ticks from visible to perceived; nothing where one of them is not known. */
export function latencyOf({ visible_tick, perceived_tick }: EventRecord): readonly number[] {
  return visible_tick === null || perceived_tick === null ? [] : [perceived_tick - visible_tick];
}

export function makeSpread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return {
    n: values.length,
    median: median(sorted),
    quartile_low: quantile(sorted, 0.25),
    quartile_high: quantile(sorted, 0.75),
  };
}

/** Event-handling correctness: the mean over kinds of 1 − missed-event rate, each kind alike. */
export interface Ehc {
  readonly value: number | null;
  readonly kinds: number;
  readonly events: number;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
}

/** EHC alone; null where no event was due. */
export function makeEhcValue(due: readonly EpisodeEvent[]): number | null {
  const kinds = [...new Set(due.map(({ event }) => event.kind))].sort();
  return meanHandled([kinds.flatMap((kind) => countHandled(due, kind))]);
}

/** Null values where no event was due. The interval is the bootstrap over cells and tasks. */
export function makeEhc(episodes: readonly Episode[]): Ehc {
  const due = listDueEvents(episodes);
  const kinds = [...new Set(due.map(({ event }) => event.kind))].sort();
  const strata = makeStrata(due, eventKeys, (cluster) => kinds.flatMap((kind) => countHandled(cluster, kind)));
  const whole = kinds.flatMap((kind) => countHandled(due, kind));
  const interval = bootstrapStatistic(strata, meanHandled);
  const value = meanHandled([whole]);
  const { low = null, high = null } = interval ?? {};
  const exact = low === high ? { ci_low: null, ci_high: null } : { ci_low: low, ci_high: high };
  return { value, kinds: kinds.length, events: due.length, ...exact };
}

function countHandled(events: readonly EpisodeEvent[], kind: string): readonly [number, number] {
  const ofKind = events.filter(({ event }) => event.kind === kind);
  return [countWhere(ofKind, (one) => !isMissed(one)), ofKind.length];
}

/** Sums are handled and due of each kind in turn; null where a kind has none. */
function meanHandled(totals: readonly (readonly number[])[]): number | null {
  const length = totals[0]?.length ?? 0;
  const sums = Array.from({ length }, (_, index) => sumOf(totals, (total) => total[index] ?? 0));
  const rates: number[] = [];
  for (let index = 0; index < length; index += 2) {
    const due = sums[index + 1] ?? 0;
    if (due === 0) return null;
    rates.push((sums[index] ?? 0) / due);
  }
  return rates.length === 0 ? null : meanOf(rates);
}
