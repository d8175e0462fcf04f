import type { Gym, Task } from '../../env/index.ts';
import type { ValidationFailure } from './failure.ts';
import { validateTask } from './validate-task.ts';

/** The outcome of a validation. */
export interface ValidationReport {
  /** Tasks that were looked at. */
  readonly tasks: number;
  /** Tasks that proved everything. */
  readonly ok: number;
  readonly failed: readonly ValidationFailure[];
}

export interface ValidateOptions {
  /** Episodes at once. @default 8 */
  readonly concurrency?: number;
  /** Called after each task. */
  readonly onTask?: (task: Task, failures: readonly ValidationFailure[]) => void;
  /** Stops before the next task; the call then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Validates tasks in parallel, taking one at a time from the iterable, so that memory stays flat. Failures come in the
 * order of their tasks. Throws what the iterable and `validateTask` throw, after the episodes under way ended.
 */
export async function validateTasks(
  tasks: Iterable<Task>,
  gym: Gym,
  options: ValidateOptions = {},
): Promise<ValidationReport> {
  const { concurrency = 8, onTask, signal } = options;
  const queue = numbered(tasks);
  const found: { readonly index: number; readonly failures: readonly ValidationFailure[] }[] = [];
  let count = 0;
  let broken = false;
  const work = async () => {
    await using env = gym.createEnv();
    try {
      for (let next = queue.next(); next.done !== true && !broken; next = queue.next()) {
        signal?.throwIfAborted();
        const failures = await validateTask(next.value.task, env);
        count += 1;
        if (failures.length > 0) found.push({ index: next.value.index, failures });
        onTask?.(next.value.task, failures);
      }
    } catch (error) {
      broken = true;
      throw error;
    }
  };
  await settleAll(Array.from({ length: concurrency }, work));
  const failed = found.sort((left, right) => left.index - right.index).flatMap(({ failures }) => failures);
  return { tasks: count, ok: count - found.length, failed };
}

function* numbered(tasks: Iterable<Task>): Generator<{ readonly index: number; readonly task: Task }, void, undefined> {
  let index = 0;
  for (const task of tasks) {
    yield { index, task };
    index += 1;
  }
}

/** Waits for every promise, then throws the first rejection if there was one. */
async function settleAll(promises: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
