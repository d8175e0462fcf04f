import type { Task } from '../../env/index.ts';
import { countValues, valuesOf } from '../range/index.ts';
import type { TaskBox } from './suite.ts';

/** The tasks of a box, one at a time: by cell, then seed. */
export function* tasksOf({ cells, seeds }: TaskBox): Generator<Task, void, undefined> {
  for (const make of cells) {
    for (const seed of valuesOf(seeds)) yield make(seed);
  }
}

export function countTasks({ cells, seeds }: TaskBox): number {
  return cells.length * countValues(seeds);
}
