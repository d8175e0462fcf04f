import { InputError, type Task } from '../../env/index.ts';
import { parseProfile } from '../cliff/index.ts';
import { countValues } from '../range/index.ts';
import { loadSplit, requireAllowed, type Split } from '../split/index.ts';
import { type Grid, type GridFlags, isInGrid, makeGridTasks, narrowGrid, parseGrid, publishedGrid } from './grid.ts';
import { parseShard, type Shard, takeFirst, takeShard } from './shard.ts';
import { parseSuite } from './task-id.ts';
import { parseTaskSource, type TaskSource } from './task-source.ts';

/** The choice of tasks as users write it: flags of a command or fields of a config. */
export interface TaskFlags extends GridFlags {
  readonly suite?: string | undefined;
  readonly profile?: string | undefined;
  /** Ids (also several with commas), files of tasks, folders that hold `tasks.jsonl`. */
  readonly tasks?: readonly string[] | undefined;
  /** `FILE:NAME`. Narrows a grid; a named task outside of it is refused. */
  readonly split?: string | undefined;
  /** At most this many tasks, before sharding. */
  readonly limit?: number | undefined;
  /** `i/N`, from 1. */
  readonly shard?: string | undefined;
}

/** Chosen tasks. Each iteration starts anew and makes or reads one task at a time. */
export interface TaskSelection extends Iterable<Task> {
  readonly split: Split | null;
  /** How many tasks an iteration gives; iterates where it cannot be computed. */
  count(): number;
}

/**
 * Chooses tasks by names or by ranges. Flags, ids and the split are checked at once, files as they are read. Throws an
 * InputError: as the parsers of the parts do, `E_SPLIT` for a named task outside of the split, `E_EMPTY` where nothing
 * is left. Ranges beside named tasks filter these. `defaults` fills in ranges that are not given.
 */
export function selectTasks(flags: TaskFlags, defaults: GridFlags = publishedGrid): TaskSelection {
  parseSuite(flags.suite ?? 'cliff', '--suite');
  parseProfile(flags.profile ?? 'fair', '--profile');
  const split = flags.split === undefined ? null : loadSplit(flags.split);
  const window = { limit: parseLimit(flags.limit), shard: flags.shard === undefined ? null : parseShard(flags.shard) };
  const named = flags.tasks?.flatMap(parseTaskSource) ?? [];
  const base =
    named.length > 0 ? makeNamedBase(named, parseGrid(flags, {}), split) : makeGridBase(flags, defaults, split);
  const selection = makeSelection(base, window, split);
  if (selection[Symbol.iterator]().next().done === true) throw emptyError(flags);
  return selection;
}

interface Base {
  tasks(): Iterable<Task>;
  /** Null where only an iteration can tell. */
  readonly size: number | null;
}

interface Window {
  readonly limit: number;
  readonly shard: Shard | null;
}

function makeNamedBase(sources: readonly TaskSource[], grid: Grid, split: Split | null): Base {
  function* tasks() {
    for (const source of sources) {
      for (const task of source.tasks()) {
        if (!isInGrid(task, grid)) continue;
        if (split !== null) requireAllowed(split, task);
        yield task;
      }
    }
  }
  return { tasks, size: null };
}

function makeGridBase(flags: GridFlags, defaults: GridFlags, split: Split | null): Base {
  const whole = parseGrid(flags, defaults);
  const grid = split === null ? whole : narrowGrid(whole, split);
  const size = countValues(grid.depths) * countValues(grid.ops) * countValues(grid.seeds);
  if (split === null) return { tasks: () => makeGridTasks(grid), size };
  function* tasks() {
    for (const task of makeGridTasks(grid)) if (split?.allows(task) === true) yield task;
  }
  const exact = split.axes.suites === null && split.axes.paraphrases === null && split.axes.tasks === null;
  return { tasks, size: exact ? size : null };
}

function makeSelection(base: Base, { limit, shard }: Window, split: Split | null): TaskSelection {
  const tasks = () => {
    const first = limit === Number.POSITIVE_INFINITY ? base.tasks() : takeFirst(base.tasks(), limit);
    return shard === null ? first : takeShard(first, shard);
  };
  const count = () => {
    if (base.size === null) return countItems(tasks());
    const size = Math.min(base.size, limit);
    return shard === null ? size : Math.max(0, Math.ceil((size - shard.index + 1) / shard.count));
  };
  return { split, count, [Symbol.iterator]: () => tasks()[Symbol.iterator]() };
}

function countItems(items: Iterable<unknown>): number {
  let count = 0;
  for (const _ of items) count += 1;
  return count;
}

function parseLimit(limit: number | undefined): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new InputError({
    code: 'E_LIMIT',
    what: 'Cannot use a limit',
    where: '--limit',
    expected: 'a whole number from 1',
    found: String(limit),
  });
}

function emptyError(flags: TaskFlags): InputError {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined && String(value) !== '');
  return new InputError({
    code: 'E_EMPTY',
    what: 'Cannot choose tasks: none is left',
    where: given.map(([name, value]) => `--${name} ${String(value)}`).join(' '),
    expected: 'at least one task',
    found: 'none',
    ...(flags.split === undefined ? {} : { hint: 'the split may hold out everything that the ranges name' }),
  });
}
