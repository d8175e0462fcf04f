import { bootstrapStatistic, median } from '../../stats/index.ts';
import type { Difference } from '../arm-figures.ts';
import { cellKey, type Episode } from '../episode.ts';
import {
  type EpisodeEvent,
  isMissed,
  isPerceived,
  latencyOf,
  listDueEvents,
  makeEventRate,
  makeSpread,
  type Spread,
} from '../event-figures.ts';
import { formatPoints, formatRate, formatSpread } from '../format.ts';
import { countWhere, makeStrata, sumOf } from '../group.ts';
import { toBar } from '../metric-sections.ts';
import type { Rate } from '../rate.ts';
import type { Section } from '../section.ts';

/** H2: armed monitoring beats polling, and the gap widens with the length of the trajectory. */
export interface H2 {
  /** Episodes of more steps than this are long; null without events. */
  readonly split_steps: number | null;
  readonly groups: readonly H2Group[];
  /** missed(not armed) − missed(armed), by length; null where a side has no event. */
  readonly gap: {
    readonly short: Difference | null;
    readonly long: Difference | null;
    readonly all: Difference | null;
  };
  /** gap(long) − gap(short). */
  readonly widening: Difference | null;
}

export interface H2Group {
  readonly length: 'short' | 'long';
  readonly monitoring: 'armed' | 'not armed';
  readonly missed: Rate;
  readonly never_perceived: Rate;
  readonly notice_latency: Spread | null;
  readonly polls: Spread | null;
}

/**
 * By episode: one in which any event was perceived by what the agent had set before counts as armed for all of its
 * events, so that an event that was missed beside an armed one is held against arming too.
 */
export function makeH2(episodes: readonly Episode[]): H2 {
  const due = listDueEvents(episodes);
  if (due.length === 0) {
    return { split_steps: null, groups: [], gap: { short: null, long: null, all: null }, widening: null };
  }
  const split_steps = median([...new Set(due.map(({ episode }) => episode))].map(({ steps }) => steps));
  const isLong = ({ episode }: EpisodeEvent) => episode.steps > split_steps;
  const short = due.filter((one) => !isLong(one));
  const long = due.filter(isLong);
  return {
    split_steps,
    groups: [...makeGroups('short', short), ...makeGroups('long', long)],
    gap: { short: makeDifference(short, gapOf), long: makeDifference(long, gapOf), all: makeDifference(due, gapOf) },
    widening: makeDifference(due, wideningOf, isLong),
  };
}

function isArmed({ episode }: EpisodeEvent): boolean {
  return episode.events.some(({ armed }) => armed === true);
}

function makeGroups(length: 'short' | 'long', events: readonly EpisodeEvent[]): readonly H2Group[] {
  const group = (monitoring: H2Group['monitoring'], own: readonly EpisodeEvent[]) => ({
    length,
    monitoring,
    missed: makeEventRate(own, isMissed),
    never_perceived: makeEventRate(own, (one) => !isPerceived(one)),
    notice_latency: makeSpread(own.flatMap(({ event }) => latencyOf(event))),
    polls: makeSpread(own.map(({ event }) => event.polls)),
  });
  const armed = events.filter(isArmed);
  const others = events.filter((one) => !isArmed(one));
  return [group('armed', armed), group('not armed', others)];
}

/** Eight sums: missed and due, not armed and armed, short and long. */
function makeDifference(
  events: readonly EpisodeEvent[],
  statistic: (totals: readonly (readonly number[])[]) => number | null,
  isLong: (one: EpisodeEvent) => boolean = () => false,
): Difference | null {
  const sums = (own: readonly EpisodeEvent[]) =>
    [false, true].flatMap((long) =>
      [false, true].flatMap((armed) => {
        const part = own.filter((one) => isLong(one) === long && isArmed(one) === armed);
        return [countWhere(part, isMissed), part.length];
      }),
    );
  const keys = {
    stratum: ({ episode }: EpisodeEvent) => cellKey(episode),
    cluster: ({ episode }: EpisodeEvent) => episode.task_hash,
  };
  const difference = statistic([sums(events)]);
  if (difference === null) return null;
  const interval = bootstrapStatistic(makeStrata(events, keys, sums), statistic);
  const exact = interval === null || interval.low === interval.high;
  return { difference, ci_low: exact ? null : interval.low, ci_high: exact ? null : interval.high };
}

function gapOf(totals: readonly (readonly number[])[], offset = 0): number | null {
  const [polledMissed, polled, armedMissed, armed] = [0, 1, 2, 3].map((index) =>
    sumOf(totals, (total) => total[offset + index] ?? 0),
  );
  if (polledMissed === undefined || armedMissed === undefined || !polled || !armed) return null;
  return polledMissed / polled - armedMissed / armed;
}

function wideningOf(totals: readonly (readonly number[])[]): number | null {
  const short = gapOf(totals, 0);
  const long = gapOf(totals, 4);
  return short === null || long === null ? null : long - short;
}

export function makeH2Sections({ split_steps, groups, gap, widening }: H2): readonly Section[] {
  const format = (difference: Difference | null) =>
    difference === null ? 'a side has no event' : formatPoints(difference);
  return [
    {
      id: 'h2',
      title: 'H2: arming against polling, and against trajectory length',
      table: {
        columns: [
          { title: 'length', align: 'left' },
          { title: 'monitoring', align: 'left' },
          ...['missed (95 %)', 'never perceived', 'latency', 'polls'].map((title) => ({ title })),
        ],
        rows: groups.map((row) => [
          row.length,
          row.monitoring,
          formatRate(row.missed),
          formatRate(row.never_perceived),
          formatSpread(row.notice_latency),
          formatSpread(row.polls),
        ]),
      },
      charts: [
        {
          type: 'bars',
          title: 'Missed-event rate',
          bars: groups.map(({ length, monitoring, missed }) => toBar(`${length}, ${monitoring}`, missed)),
        },
      ],
      notes: [
        `Long: more than ${split_steps ?? '-'} steps, the median of the episodes with events.`,
        `Not armed - armed, missed-event rate: short ${format(gap.short)}; long ${format(gap.long)}; all ${format(gap.all)}.`,
        `The gap in long episodes less that in short ones: ${format(widening)}.`,
        'Agents choose whether to arm, so this compares episodes and proves no cause. An episode in which anything set before showed an event is armed; one whose arming showed nothing is not.',
      ],
    },
  ];
}
