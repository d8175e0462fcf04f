import type { EventAxes } from '../../env/index.ts';
import { choicesOf, type EventSpec, formatEventId, makeEventTask, parseEventId } from '../levels/index.ts';
import type { Spans, WordAxis, Words } from '../range/index.ts';
import {
  type Axis,
  armAxis,
  eventCountAxis,
  kindAxis,
  levelAxis,
  parseRange,
  seedAxis,
  valuesOf,
} from '../range/index.ts';
import type { TaskAxes } from '../split/index.ts';
import { type Cell, emptyBox, type Suite, type TaskBox } from './suite.ts';

const example: EventSpec = { kind: 'bell', level: 1, count: 1, seed: 7, arm: 'event' };

/** The event levels: kind × level × number of events × arm, and delegation where it is asked for. */
export const eventsSuite: Suite = {
  name: 'events',
  example: formatEventId(example),
  defaults: {
    kinds: kindAxis.values ?? [],
    levels: 'E0-E4',
    counts: '1',
    arms: 'event',
    delegations: undefined,
    seeds: '0-2',
  },
  owns: (word) => word.startsWith('events-'),
  parseId: (id) => {
    const spec = parseEventId(id);
    return () => makeEventTask(spec);
  },
  makeBox,
};

function makeBox({ suites, profiles, seeds, ...axes }: TaskAxes): TaskBox {
  const isOther = suites?.has('events') === false || profiles?.has('fair') === false;
  if (isOther || axes.depths !== null || axes.ops !== null) return emptyBox;
  return { cells: [...makeCells(axes)], seeds: seeds ?? whole(seedAxis) };
}

type Place = Omit<EventSpec, 'seed'>;

/** By kind, then level, delegation, count and arm: the arms of one seed lie close to each other. */
function* makeCells(axes: Pick<TaskAxes, 'kinds' | 'levels' | 'delegations' | 'counts' | 'arms'>): Generator<Cell> {
  for (const kind of wordsOf<EventAxes['kind']>(axes.kinds, kindAxis)) {
    for (const level of valuesOf(axes.levels ?? whole(levelAxis))) {
      for (const place of makePlaces({ kind, level }, axes)) yield (seed) => makeEventTask({ ...place, seed });
    }
  }
}

function* makePlaces(
  { kind, level }: Pick<Place, 'kind' | 'level'>,
  { delegations, counts, arms }: Pick<TaskAxes, 'delegations' | 'counts' | 'arms'>,
): Generator<Place> {
  const own = choicesOf(level).delegation;
  for (const delegation of delegations ?? [own]) {
    const overrides = delegation === own ? {} : { delegation: delegation as EventAxes['delegation'] };
    for (const count of valuesOf(counts ?? whole(eventCountAxis))) {
      for (const arm of wordsOf<EventAxes['arm']>(arms, armAxis)) yield { kind, level, count, arm, overrides };
    }
  }
}

/** In the order of the axis. */
function wordsOf<Word extends string>(words: Words | null, axis: WordAxis): readonly Word[] {
  return (axis.values ?? []).filter((word): word is Word => words === null || words.has(word));
}

function whole(axis: Axis): Spans {
  return parseRange(`${axis.min}-${axis.max}`, axis, axis.name);
}
