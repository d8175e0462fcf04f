import type { Task } from '../../env/index.ts';
import type { Spans } from '../range/index.ts';
import type { AxisTexts, TaskAxes } from '../split/index.ts';

/** A source of tasks: what its ids look like, and which tasks ranges name. A new one is a line in `registry.ts`. */
export interface Suite {
  /** What `--suite` takes. */
  readonly name: string;
  /** An id of it, for messages. */
  readonly example: string;
  /** The ranges where none are given. */
  readonly defaults: AxisTexts;
  /** Whether a word is meant to be an id of this suite, by its form alone; it may still be a wrong one. */
  owns(word: string): boolean;
  /** Reads an id; the returned function makes its task. Throws an InputError for a wrong one. */
  parseId(id: string): () => Task;
  /** The tasks inside of the axes. `paraphrases` and `tasks` are not looked at, every other axis is. */
  makeBox(axes: TaskAxes): TaskBox;
}

/** Cells crossed with seeds: tasks that can be counted and numbered without being made. */
export interface TaskBox {
  /** In the order in which tasks are listed. */
  readonly cells: readonly Cell[];
  readonly seeds: Spans;
}

/** Makes the task of one cell for a seed. */
export type Cell = (seed: number) => Task;

/** A box without a task. */
export const emptyBox: TaskBox = { cells: [], seeds: [] };
