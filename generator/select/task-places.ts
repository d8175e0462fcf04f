import { hash } from 'node:crypto';
import { InputError, type Task } from '../../env/index.ts';
import { countValues, seedAxis, valueAt } from '../range/index.ts';
import type { TaskBox } from './suite.ts';
import { countTasks } from './task-box.ts';

/** Tasks by their place in an order of their own. */
export interface TaskPlaces {
  /** Null beyond the last. */
  at(place: number): Task | null;
  /** Infinity where there is no end. */
  count(): number;
}

/** Round the cells of a box, each round with the next seed, from a seed that `seed` decides; by calculation. */
export function makeBoxPlaces(box: TaskBox, seed: number): TaskPlaces {
  const seeds = countValues(box.seeds);
  const total = countTasks(box);
  const start = startOf(seed, seeds);
  return {
    count: () => (seeds > seedAxis.max ? Number.POSITIVE_INFINITY : total),
    at: (place) => {
      const make = box.cells[place % box.cells.length];
      if (make === undefined || place >= total) return null;
      const round = Math.floor(place / box.cells.length);
      const value = valueAt(box.seeds, round < seeds - start ? start + round : round - (seeds - start));
      return value === null ? null : make(value);
    },
  };
}

/** So many tasks in a row that are left out mean that there is none. */
const patience = 100_000;

/** Those of a box that are allowed, in the order of the box; remembers where it found them. */
export function makeFilteredPlaces(box: TaskBox, seed: number, allows: (task: Task) => boolean): TaskPlaces {
  const all = makeBoxPlaces(box, seed);
  const found: number[] = [];
  let next = 0;
  const findNext = () => {
    for (let tries = 0; tries < patience; tries++) {
      const task = all.at(next);
      if (task === null) return null;
      next += 1;
      if (allows(task)) return found.push(next - 1);
    }
    throw tooRare(next);
  };
  const at = (place: number) => {
    while (found.length <= place) if (findNext() === null) return null;
    return all.at(found[place] ?? 0);
  };
  const countAll = () => {
    while (findNext() !== null);
    return found.length;
  };
  return { at, count: () => (all.count() === Number.POSITIVE_INFINITY ? all.count() : countAll()) };
}

/** Tasks that are named one by one, from one that `seed` decides. */
export function makeListedPlaces(
  makers: readonly (() => Task)[],
  seed: number,
  allows: (task: Task) => boolean,
): TaskPlaces {
  const allowed = makers.filter((make) => allows(make()));
  const start = startOf(seed, allowed.length);
  return {
    count: () => allowed.length,
    at: (place) => (place < allowed.length ? (allowed[(start + place) % allowed.length]?.() ?? null) : null),
  };
}

/** A place below `count` by SHA-256, so that the lists of neighbouring seeds share nothing where there is room. */
function startOf(seed: number, count: number): number {
  if (count === 0) return 0;
  const head = BigInt(`0x${hash('sha256', `tasks/${seed}`, 'hex').slice(0, 16)}`);
  return Number(head % BigInt(count));
}

function tooRare(looked: number): InputError {
  return new InputError({
    code: 'E_EMPTY',
    what: 'Cannot find the next task of a list',
    where: 'the ranges and the split',
    expected: `a task that is inside among ${patience}`,
    found: `none, after ${looked} tasks`,
  });
}
