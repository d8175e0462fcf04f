import { hashTask, InputError } from '../../env/index.ts';
import { createTasks, type TaskList } from '../../generator/index.ts';
import type { ListRequest, TaskPage } from './service.ts';
import type { SplitGate } from './split-gate.ts';

const maximumCount = 256;
/** Lists whose places may have been searched for are worth keeping; the others cost nothing to make again. */
const maximumLists = 16;

/** Pages of lists of tasks. Holds no tasks, only where the last few lists found theirs. */
export class TaskLister {
  readonly #lists = new Map<string, TaskList>();

  /** Throws an InputError as `createTasks` does, and `E_SIZE` for more places than one page has. */
  list(request: ListRequest, gates: readonly (SplitGate | null)[]): TaskPage {
    const { from, count } = request;
    if (count > maximumCount) throw tooMany(count);
    const list = this.#find(
      request,
      gates.filter((gate) => gate !== null),
    );
    const { size } = list;
    const length = Math.max(0, Math.min(count, size - from));
    const tasks = Array.from({ length }, (_, index) => list.at(from + index));
    const page = tasks.map((task) => ({ task, hash: hashTask(task) }));
    return { tasks: page, size: Number.isFinite(size) ? size : null };
  }

  #find(request: ListRequest, gates: readonly SplitGate[]): TaskList {
    const { suite, seed, size, ranges } = request;
    const key = JSON.stringify([suite, seed, size, ranges, gates.map(({ hash }) => hash)]);
    const list =
      this.#lists.get(key) ??
      createTasks({
        ...ranges,
        seed,
        gates,
        ...(suite === '' ? {} : { suite }),
        ...(size === 0 ? {} : { size }),
      });
    this.#lists.delete(key);
    this.#lists.set(key, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > maximumLists && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }
}

function tooMany(count: number): InputError {
  return new InputError({
    code: 'E_SIZE',
    what: 'Cannot list that many tasks in one call',
    where: 'count',
    expected: `at most ${maximumCount}`,
    found: String(count),
  });
}
