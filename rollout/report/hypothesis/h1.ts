import { bootstrapStatistic } from '../../stats/index.ts';
import { cellKey, type Episode } from '../episode.ts';
import { type EpisodeEvent, isMissed, listDueEvents, makeEventRate } from '../event-figures.ts';
import { formatPoints, formatRate } from '../format.ts';
import { countWhere, groupBy, makeStrata, sumOf } from '../group.ts';
import { toBar } from '../metric-sections.ts';
import type { Rate } from '../rate.ts';
import type { Section } from '../section.ts';

/** H1: the missed-event rate rises with the number and the density of events, and with delegation. */
export interface H1 {
  readonly factors: readonly Factor[];
}

/** One thing that the hypothesis says makes events be missed. */
export interface Factor {
  readonly name: 'number' | 'density' | 'delegation';
  readonly levels: readonly { readonly label: string; readonly x: number; readonly missed: Rate }[];
  /** Missed-event rate per step of the factor, by least squares over events; null where it does not vary. */
  readonly slope: {
    readonly difference: number;
    readonly ci_low: number | null;
    readonly ci_high: number | null;
  } | null;
  /** What one step of the slope is. */
  readonly step: string;
  readonly verdict: 'rises' | 'falls' | 'not seen' | 'does not vary';
}

export function makeH1(episodes: readonly Episode[]): H1 {
  const due = listDueEvents(episodes);
  return { factors: factors.map((factor) => makeFactor(due, factor)) };
}

interface FactorSpec {
  readonly name: Factor['name'];
  readonly step: string;
  /** Null where the factor does not apply to the event. */
  readonly place: (one: EpisodeEvent) => { readonly label: string; readonly x: number } | null;
}

const factors: readonly FactorSpec[] = [
  { name: 'number', step: 'one event more', place: ({ episode }) => placeNumber(episode) },
  { name: 'density', step: 'one class denser', place: ({ episode }) => placeDensity(episode) },
  { name: 'delegation', step: 'one level deeper', place: ({ episode }) => placeDelegation(episode) },
];

/** Events of the task; where the record does not say, those that it lists. */
function placeNumber({ count, events }: Episode) {
  const x = count ?? events.length;
  return { label: `${x} event${x === 1 ? '' : 's'}`, x };
}

/**
 * By the mean gap between the ticks at which the episode's events became visible. The gap is the schedule's, so that a
 * slow agent does not thin its own events out. Null with fewer than two.
 */
function placeDensity({ events }: Episode) {
  const ticks = events
    .flatMap(({ visible_tick, fired_tick }) => visible_tick ?? fired_tick ?? [])
    .sort((a, b) => a - b);
  const [first] = ticks;
  const last = ticks.at(-1);
  if (first === undefined || last === undefined || ticks.length < 2) return null;
  const gap = (last - first) / (ticks.length - 1);
  if (gap > 5) return { label: 'gap over 5 ticks', x: 0 };
  return gap > 2 ? { label: 'gap over 2 to 5 ticks', x: 1 } : { label: 'gap up to 2 ticks', x: 2 };
}

function placeDelegation({ delegation }: Episode) {
  return delegation === null ? null : { label: delegation, x: ['solo', 'one', 'nested'].indexOf(delegation) };
}

function makeFactor(due: readonly EpisodeEvent[], { name, step, place }: FactorSpec): Factor {
  const placed = due.flatMap((one) => {
    const spot = place(one);
    return spot === null ? [] : [{ ...one, ...spot }];
  });
  const groups = [...groupBy(placed, ({ label }) => label).values()];
  const levels = groups
    .map((group) => ({ label: group[0]?.label ?? '', x: group[0]?.x ?? 0, missed: makeEventRate(group, isMissed) }))
    .sort((a, b) => a.x - b.x);
  const slope = levels.length < 2 ? null : makeSlope(placed);
  return { name, levels, slope, step, verdict: judge(slope) };
}

type Placed = EpisodeEvent & { readonly x: number };

function makeSlope(placed: readonly Placed[]): Factor['slope'] {
  const keys = {
    stratum: ({ episode }: Placed) => cellKey(episode),
    cluster: ({ episode }: Placed) => episode.task_hash,
  };
  const strata = makeStrata(placed, keys, moments);
  const difference = slopeOf([moments(placed)]);
  if (difference === null) return null;
  const interval = bootstrapStatistic(strata, slopeOf);
  const exact = interval === null || interval.low === interval.high;
  return { difference, ci_low: exact ? null : interval.low, ci_high: exact ? null : interval.high };
}

/** n, Σx, Σy, Σxy, Σx², with y = 1 for a missed event. */
function moments(events: readonly Placed[]): readonly number[] {
  const missed = events.filter(isMissed);
  return [
    events.length,
    sumOf(events, ({ x }) => x),
    countWhere(events, isMissed),
    sumOf(missed, ({ x }) => x),
    sumOf(events, ({ x }) => x * x),
  ];
}

function slopeOf(totals: readonly (readonly number[])[]): number | null {
  const [n, x, y, xy, xx] = [0, 1, 2, 3, 4].map((index) => sumOf(totals, (total) => total[index] ?? 0));
  if (n === undefined || x === undefined || y === undefined || xy === undefined || xx === undefined) return null;
  const spread = n * xx - x * x;
  return spread === 0 ? null : (n * xy - x * y) / spread;
}

function judge(slope: Factor['slope']): Factor['verdict'] {
  if (slope === null) return 'does not vary';
  if (slope.ci_low !== null && slope.ci_low > 0) return 'rises';
  return slope.ci_high !== null && slope.ci_high < 0 ? 'falls' : 'not seen';
}

export function makeH1Sections({ factors: found }: H1): readonly Section[] {
  const rows = found.flatMap(({ name, levels }) =>
    levels.map(({ label, missed }) => [name, label, formatRate(missed)]),
  );
  return [
    {
      id: 'h1',
      title: 'H1: missed events against number, density and delegation',
      table: {
        columns: [{ title: 'factor', align: 'left' }, { title: 'level', align: 'left' }, { title: 'missed (95 %)' }],
        rows,
      },
      charts: [
        {
          type: 'bars',
          title: 'Missed-event rate',
          bars: found.flatMap(({ name, levels }) =>
            levels.map(({ label, missed }) => toBar(`${name}: ${label}`, missed)),
          ),
        },
      ],
      notes: [
        ...found.map(describeFactor),
        'Slopes: least squares over events, interval by the bootstrap over cells and tasks. "Not seen" is not "absent": the interval says what is still possible.',
      ],
    },
  ];
}

function describeFactor({ name, slope, step, verdict }: Factor): string {
  const found = slope === null ? '' : `, ${formatPoints(slope)} for ${step}`;
  return `Missed-event rate by ${name}: ${verdict}${found}.`;
}
