import type { Task } from '../../env/index.ts';
import { makeCliffTask } from '../cliff/index.ts';
import {
  depthAxis,
  hasValue,
  intersectSpans,
  opsAxis,
  parseRange,
  type Spans,
  seedAxis,
  valuesOf,
} from '../range/index.ts';
import type { Split } from '../split/index.ts';

/** A box of cliff tasks. */
export interface Grid {
  readonly depths: Spans;
  readonly ops: Spans;
  readonly seeds: Spans;
}

/** The ranges of a grid as users write them. */
export interface GridFlags {
  readonly depths?: string | undefined;
  readonly ops?: string | undefined;
  readonly seeds?: string | undefined;
}

/** The published grid with three seeds: the default wherever tasks are chosen by ranges. */
export const publishedGrid: Required<GridFlags> = { depths: 'D0-D4', ops: '1,2,4,8,16', seeds: '0-2' };

/** Throws an InputError: `E_RANGE` for a malformed range, `E_DEPTH`, `E_OPS`, `E_SEED` for a value outside. */
export function parseGrid(flags: GridFlags, defaults: GridFlags): Grid {
  return {
    depths: parseRange(flags.depths ?? defaults.depths ?? 'D0-D4', depthAxis, '--depths'),
    ops: parseRange(flags.ops ?? defaults.ops ?? '1-64', opsAxis, '--ops'),
    seeds: parseRange(flags.seeds ?? defaults.seeds ?? `0-${seedAxis.max}`, seedAxis, '--seeds'),
  };
}

/** What is left of a grid inside of a split's axes. Its listed tasks and wordings are not looked at. */
export function narrowGrid({ depths, ops, seeds }: Grid, { axes }: Split): Grid {
  return {
    depths: axes.depths === null ? depths : intersectSpans(depths, axes.depths),
    ops: axes.ops === null ? ops : intersectSpans(ops, axes.ops),
    seeds: axes.seeds === null ? seeds : intersectSpans(seeds, axes.seeds),
  };
}

/** The tasks of a grid, one at a time: by depth, then op-count, then seed. */
export function* makeGridTasks({ depths, ops, seeds }: Grid): Generator<Task, void, undefined> {
  for (const depth of valuesOf(depths)) {
    for (const count of valuesOf(ops)) {
      for (const seed of valuesOf(seeds)) yield makeCliffTask({ depth, ops: count, seed, profile: 'fair' });
    }
  }
}

export function isInGrid(task: Task, { depths, ops, seeds }: Grid): boolean {
  const { depth, ops: count, seed } = task;
  return depth !== null && count !== null && hasValue(depths, depth) && hasValue(ops, count) && hasValue(seeds, seed);
}
