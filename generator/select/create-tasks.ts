import { InputError, type Task } from '../../env/index.ts';
import { parseValue, seedAxis } from '../range/index.ts';
import { explainOutside, intersectAxes, loadSplit, type TaskAxes } from '../split/index.ts';
import { findSuite, parseTaskId } from './registry.ts';
import { type GridFlags, parseGridFlags } from './task-flags.ts';
import { makeBoxPlaces, makeFilteredPlaces, makeListedPlaces, type TaskPlaces } from './task-places.ts';

/** What narrows a list beside its ranges, such as a split. */
export interface TaskGate {
  /** Why a task is outside, in words; null where it is inside. */
  explain(task: Task): string | null;
  /** The same by axis, where it has axes: nothing outside is then made only to be left out. */
  readonly axes?: TaskAxes;
}

export interface TaskListOptions extends GridFlags {
  /** @default cliff */
  readonly suite?: string | undefined;
  /** Which tasks: lists of other seeds have other tasks, as far as `seeds` leaves room. 0 to 2^53 - 1. @default 0 */
  readonly seed?: number | undefined;
  /** @default as many as there are: without end, unless `seeds` or the split bound the list */
  readonly size?: number | undefined;
  /** `FILE:NAME`: only tasks that the split allows. */
  readonly split?: string | undefined;
  /** Further bounds. */
  readonly gates?: readonly TaskGate[] | undefined;
}

/** Tasks by their place, made when they are asked for and never kept. */
export interface TaskList extends Iterable<Task> {
  /** Undefined beyond the last. */
  readonly [place: number]: Task;
  /** How many; Infinity where the list has no end. May have to look at every task that the ranges name. */
  readonly size: number;
  /** The task at a place from 0. Throws an InputError (`E_INDEX`) where there is none. */
  at(place: number): Task;
}

/**
 * A list of tasks by ranges, as data sets of generated problems are used: `tasks[5]`, `for (const task of tasks)`. The
 * same options and generator version give the same list on any machine, and a longer one begins with a shorter one. It
 * goes round the cells (depth × op-count, kind × level × …), so that every head of it is as even as can be; ranges that
 * are not given are those of the suite, but the seeds are all there are. Throws an InputError as `selectTasks` does, and
 * `E_LIST_SIZE` where there are fewer tasks than `size`.
 */
export function createTasks(options: TaskListOptions = {}): TaskList {
  const places = findPlaces(options);
  if (places.at(0) === null) throw emptyError();
  const size = options.size === undefined ? null : parseSize(options.size, places);
  return withPlaces({
    get size() {
      return size ?? places.count();
    },
    at: (place) => {
      const known = Number.isSafeInteger(place) && place >= 0 && place < (size ?? Number.POSITIVE_INFINITY);
      const task = known ? places.at(place) : null;
      if (task === null) throw indexError(place, size ?? places.count());
      return task;
    },
    *[Symbol.iterator]() {
      for (let place = 0; place < (size ?? Number.POSITIVE_INFINITY); place++) {
        const task = places.at(place);
        if (task === null) return;
        yield task;
      }
    },
  });
}

function findPlaces(options: TaskListOptions): TaskPlaces {
  const { seed = 0, suite: name = 'cliff', gates = [] } = options;
  parseValue(String(seed), seedAxis, 'seed');
  const suite = findSuite(name, 'suite');
  const split = options.split === undefined ? null : loadSplit(options.split);
  const own = parseGridFlags(options, suite, { defaults: { seeds: `0-${seedAxis.max}` }, split });
  const axes = gates.reduce((inner, gate) => (gate.axes === undefined ? inner : intersectAxes(inner, gate.axes)), own);
  const box = suite.makeBox(axes);
  const blind = gates.filter((gate) => gate.axes === undefined);
  const allows = (task: Task) =>
    explainOutside(task, axes) === null && blind.every((gate) => gate.explain(task) === null);
  if (axes.tasks !== null) return makeListedPlaces([...axes.tasks].map(parseTaskId), seed, allows);
  return needsFilter(axes, blind) ? makeFilteredPlaces(box, seed, allows) : makeBoxPlaces(box, seed);
}

function needsFilter(axes: TaskAxes, blind: readonly TaskGate[]): boolean {
  return axes.paraphrases !== null || blind.length > 0;
}

type Plain = Pick<TaskList, 'size' | 'at'> & Iterable<Task>;

/** Lets `list[5]` be written for `list.at(5)`. */
function withPlaces(list: Plain): TaskList {
  const isPlace = (key: string | symbol): key is string => typeof key === 'string' && /^(0|[1-9]\d*)$/.test(key);
  const has = (key: string) => Number(key) < list.size;
  return new Proxy(list, {
    get: (target, key) => {
      if (!isPlace(key)) return Reflect.get(target, key);
      return has(key) ? target.at(Number(key)) : undefined;
    },
    has: (target, key) => (isPlace(key) ? has(key) : Reflect.has(target, key)),
  }) as TaskList;
}

function parseSize(size: number, places: TaskPlaces): number {
  const found = Number.isSafeInteger(size) && size >= 1 ? places.at(size - 1) : null;
  if (found !== null) return size;
  throw new InputError({
    code: 'E_LIST_SIZE',
    what: 'Cannot make a list of tasks of that size',
    where: 'size',
    expected: `a whole number from 1 to ${places.count()}`,
    found: String(size),
  });
}

function emptyError(): InputError {
  return new InputError({
    code: 'E_EMPTY',
    what: 'Cannot make a list of tasks: none is inside',
    where: 'the ranges and the split',
    expected: 'at least one task',
    found: 'none',
  });
}

function indexError(place: number, size: number): InputError {
  return new InputError({
    code: 'E_INDEX',
    what: 'Cannot find a task in the list',
    where: `place ${place}`,
    expected: size === Number.POSITIVE_INFINITY ? 'a whole number from 0' : `a whole number from 0 to ${size - 1}`,
    found: String(place),
  });
}
