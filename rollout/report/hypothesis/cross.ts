import { bootstrapStatistic, type Sums } from '../../stats/index.ts';
import { type ArmFigures, type Difference, makeArmFigures } from '../arm-figures.ts';
import { baseTask, cellKey, type Episode, isEventArm, isJudged } from '../episode.ts';
import { isMissed, listDueEvents, makeEventRate } from '../event-figures.ts';
import { formatPoints, formatRate } from '../format.ts';
import { countWhere, groupBy, makeStrata, sumOf } from '../group.ts';
import { toBar } from '../metric-sections.ts';
import { makeRate, type Rate } from '../rate.ts';
import type { Section } from '../section.ts';

/** An episode and the loop in which its model was asked; null where it is not known. */
export interface Crossed {
  readonly episode: Episode;
  readonly loop: string | null;
}

/** The study's open question: scaffold × model on the same tasks, under each delivery of events. */
export interface Cross {
  readonly cells: readonly CrossCell[];
  /** Two loops of one model, or two models in one loop, on the tasks that both played. */
  readonly contrasts: readonly Contrast[];
}

export interface CrossCell {
  readonly delivery: string;
  readonly loop: string;
  readonly model: string;
  readonly solo: Rate;
  /** Pass rate of tasks with events, in the event arm. */
  readonly event: Rate;
  readonly missed: Rate;
  /** pass(told) − pass(event): what is left when fluency is subtracted. */
  readonly effect: ArmFigures['missing_event_effect'];
}

export interface Contrast {
  readonly delivery: string;
  /** What stays the same. */
  readonly within: string;
  readonly from: string;
  readonly to: string;
  readonly tasks: number;
  /** Pass rate with events, `to` − `from`, paired by task. */
  readonly event: Difference;
  /** The same with the told arm subtracted: how much less noticing costs; null without that arm. */
  readonly without_fluency: Difference | null;
}

export function makeCross(crossed: readonly Crossed[]): Cross {
  const judged = crossed.filter(({ episode }) => isJudged(episode));
  const cells = [...groupBy(judged, (one) => JSON.stringify(placeOf(one))).values()];
  return { cells: cells.map(makeCrossCell), contrasts: makeContrasts(cells) };
}

function placeOf({ episode, loop }: Crossed): readonly [string, string, string] {
  return [episode.delivery ?? 'poll', loop ?? 'unknown', episode.model ?? episode.policy];
}

function makeCrossCell(crossed: readonly Crossed[]): CrossCell {
  const episodes = crossed.map(({ episode }) => episode);
  const [delivery, loop, model] = crossed[0] === undefined ? ['', '', ''] : placeOf(crossed[0]);
  const passRate = (own: readonly Episode[]) =>
    makeRate(
      countWhere(own, ({ passed }) => passed),
      own.length,
    );
  return {
    ...{ delivery, loop, model },
    solo: passRate(episodes.filter(({ pillar }) => pillar === 'A')),
    event: passRate(episodes.filter(hasEvents)),
    missed: makeEventRate(listDueEvents(episodes), isMissed),
    effect: makeArmFigures(episodes).missing_event_effect,
  };
}

function hasEvents(episode: Episode): boolean {
  return isEventArm(episode) && episode.events.length > 0;
}

function makeContrasts(cells: readonly (readonly Crossed[])[]): readonly Contrast[] {
  const pairs = cells.flatMap((a, index) => cells.slice(index + 1).map((b) => [a, b] as const));
  return pairs.flatMap(([a, b]) => {
    const [one, other] = [a[0], b[0]];
    if (one === undefined || other === undefined) return [];
    const [delivery, loop, model] = placeOf(one);
    const [otherDelivery, otherLoop, otherModel] = placeOf(other);
    if (delivery !== otherDelivery || (loop !== otherLoop && model !== otherModel)) return [];
    const sides =
      loop === otherLoop ? { within: loop, from: model, to: otherModel } : { within: model, from: loop, to: otherLoop };
    return makeContrast({ delivery, ...sides }, a, b);
  });
}

/** Over the tasks that both sides played; without fluency, over those that both played in the told arm too. */
function makeContrast(
  names: Pick<Contrast, 'delivery' | 'within' | 'from' | 'to'>,
  a: readonly Crossed[],
  b: readonly Crossed[],
): readonly Contrast[] {
  const sides = [
    ...a.map(({ episode }) => ({ episode, side: 'a' })),
    ...b.map(({ episode }) => ({ episode, side: 'b' })),
  ];
  const played = sides.filter(({ episode }) => hasEvents(episode) || episode.arm === 'told');
  const keys = {
    stratum: ({ episode }: Side) => cellKey({ ...episode, arm: null }),
    cluster: ({ episode }: Side) => baseTask(episode),
  };
  const strata = makeStrata(played, keys, countSides).filter((stratum) => stratum.length > 0);
  const inEvent = keepWhole(strata, [1, 3]);
  const event = contrast(inEvent, eventDifference);
  if (event === null) return [];
  const without_fluency = contrast(keepWhole(strata, [1, 3, 5, 7]), fluentDifference);
  return [{ ...names, tasks: inEvent.flat().length, event, without_fluency }];
}

interface Side {
  readonly episode: Episode;
  readonly side: string;
}

/** Passed and played: events by a and by b, told to a and to b. */
function countSides(task: readonly Side[]): Sums {
  const parts = [hasEvents, ({ arm }: Episode) => arm === 'told'].flatMap((holds) =>
    ['a', 'b'].map((name) => task.filter(({ episode, side }) => side === name && holds(episode))),
  );
  return parts.flatMap((part) => [countWhere(part, ({ episode }) => episode.passed), part.length]);
}

function keepWhole(strata: readonly (readonly Sums[])[], counts: readonly number[]): readonly (readonly Sums[])[] {
  return strata.map((stratum) => stratum.filter((sums) => counts.every((index) => (sums[index] ?? 0) > 0)));
}

function contrast(
  strata: readonly (readonly Sums[])[],
  statistic: (totals: readonly Sums[]) => number | null,
): Difference | null {
  const difference = statistic(strata.flat());
  if (difference === null) return null;
  const interval = bootstrapStatistic(strata, statistic);
  const exact = interval === null || interval.low === interval.high;
  return { difference, ci_low: exact ? null : interval.low, ci_high: exact ? null : interval.high };
}

function eventDifference(totals: readonly Sums[], offset = 0): number | null {
  const part = (index: number) => sumOf(totals, (sums) => sums[offset + index] ?? 0);
  return part(1) === 0 || part(3) === 0 ? null : part(2) / part(3) - part(0) / part(1);
}

/** The change of pass(event) less the change of pass(told). */
function fluentDifference(totals: readonly Sums[]): number | null {
  const event = eventDifference(totals);
  const told = eventDifference(totals, 4);
  return event === null || told === null ? null : event - told;
}

export function makeCrossSections({ cells, contrasts }: Cross): readonly Section[] {
  const left = (titles: readonly string[]) => titles.map((title) => ({ title, align: 'left' as const }));
  const right = (titles: readonly string[]) => titles.map((title) => ({ title }));
  return [
    {
      id: 'cross',
      title: 'Loop x model',
      table: {
        columns: [
          ...left(['delivery', 'loop', 'model']),
          ...right(['solo', 'with events', 'missed events', 'missing-event effect']),
        ],
        rows: cells.map(({ delivery, loop, model, solo, event, missed, effect }) => [
          ...[delivery, loop, model, formatRate(solo), formatRate(event), formatRate(missed)],
          effect === null ? 'told arm not played' : formatPoints(effect),
        ]),
      },
      charts: [
        {
          type: 'bars',
          title: 'Pass rate with events',
          bars: cells.map(({ delivery, loop, model, event }) => toBar(`${delivery}, ${loop}, ${model}`, event)),
        },
      ],
      notes: [
        'The missing-event effect is pass(told) - pass(event): what is left of the deficit when fluency is subtracted.',
      ],
    },
    {
      id: 'contrasts',
      title: 'Contrasts on the same tasks',
      table: {
        columns: [
          ...left(['delivery', 'the same', 'from', 'to']),
          ...right(['tasks', 'pass with events', 'less the told arm']),
        ],
        rows: contrasts.map(({ delivery, within, from, to, tasks, event, without_fluency }) => [
          ...[delivery, within, from, to, String(tasks), formatPoints(event)],
          without_fluency === null ? 'told arm not played' : formatPoints(without_fluency),
        ]),
      },
      charts: [],
      notes: [
        contrasts.length === 0
          ? 'No two cells share a loop or a model and a task.'
          : 'to - from, paired by task, bootstrap over cells and tasks.',
      ],
    },
  ];
}
