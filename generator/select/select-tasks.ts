import { InputError, type Task } from '../../env/index.ts';
import { explainOutside, loadSplit, requireAllowed, type Split, type TaskAxes } from '../split/index.ts';
import { findSuite } from './registry.ts';
import { parseShard, type Shard, takeFirst, takeShard } from './shard.ts';
import { countTasks, tasksOf } from './task-box.ts';
import { type GridFlags, parseFlags, parseGridFlags, type TaskFlags } from './task-flags.ts';
import { parseTaskSource, type TaskSource } from './task-source.ts';

/** Chosen tasks. Each iteration starts anew and makes or reads one task at a time. */
export interface TaskSelection extends Iterable<Task> {
  readonly split: Split | null;
  /** How many tasks an iteration gives; iterates where it cannot be computed. */
  count(): number;
}

/**
 * Chooses tasks by names or by ranges. Flags, ids and the split are checked at once, files as they are read. Throws an
 * InputError: as the parsers of the parts do, `E_SPLIT` for a named task outside of the split, `E_EMPTY` where nothing
 * is left. Ranges beside named tasks filter these. `defaults` fills in ranges that are not given, as far as the suite
 * has them; then the suite's own do.
 */
export function selectTasks(flags: TaskFlags, defaults: GridFlags = {}): TaskSelection {
  const split = flags.split === undefined ? null : loadSplit(flags.split);
  const window = { limit: parseLimit(flags.limit), shard: flags.shard === undefined ? null : parseShard(flags.shard) };
  const named = flags.tasks?.flatMap(parseTaskSource) ?? [];
  const base =
    named.length > 0 ? makeNamedBase(named, parseFlags(flags), split) : makeGridBase(flags, { defaults, split });
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

function makeNamedBase(sources: readonly TaskSource[], axes: TaskAxes, split: Split | null): Base {
  function* tasks() {
    for (const source of sources) {
      for (const task of source.tasks()) {
        if (explainOutside(task, axes) !== null) continue;
        if (split !== null) requireAllowed(split, task);
        yield task;
      }
    }
  }
  return { tasks, size: null };
}

function makeGridBase(flags: TaskFlags, within: { readonly defaults: GridFlags; readonly split: Split | null }): Base {
  const suite = findSuite(flags.suite ?? 'cliff', '--suite');
  const axes = parseGridFlags(flags, suite, within);
  const box = suite.makeBox(axes);
  if (axes.paraphrases === null && axes.tasks === null) return { tasks: () => tasksOf(box), size: countTasks(box) };
  function* tasks() {
    for (const task of tasksOf(box)) if (explainOutside(task, axes) === null) yield task;
  }
  return { tasks, size: null };
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
