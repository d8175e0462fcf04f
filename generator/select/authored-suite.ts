import { InputError, type Task } from '../../env/index.ts';
import { explainOutside, type TaskAxes } from '../split/index.ts';
import { findSuiteTask, loadSuite, type SuiteName } from '../suite/index.ts';
import { emptyBox, type Suite, type TaskBox } from './suite.ts';

/** The hand-written tasks of a folder of `data/tasks`. Their seed is their own, so each is a cell of one task. */
export function makeAuthoredSuite(name: SuiteName, letter: 'A' | 'B' | 'C', example: string): Suite {
  return {
    name,
    example,
    defaults: { kinds: undefined, counts: undefined, arms: undefined, delegations: undefined, seeds: undefined },
    owns: (word) => new RegExp(`^${letter}-[A-Z]`).test(word),
    parseId: (id) => {
      const task = findSuiteTask(id);
      if (task === null) throw idError(id, example);
      return () => task;
    },
    makeBox: (axes) => makeBox(name, axes),
  };
}

function makeBox(name: SuiteName, axes: TaskAxes): TaskBox {
  if (axes.suites?.has(name) === false) return emptyBox;
  const tasks = loadSuite(name).filter(
    (task) => explainOutside(task, { ...axes, paraphrases: null, tasks: null }) === null,
  );
  return { cells: tasks.map((task: Task) => () => task), seeds: [{ from: 0, to: 0 }] };
}

function idError(id: string, example: string): InputError {
  return new InputError({
    code: 'E_TASK_ID',
    what: 'Cannot find a hand-written task',
    where: JSON.stringify(id),
    expected: `the name of a file in data/tasks, such as ${example}`,
    found: JSON.stringify(id),
  });
}
