import { InputError, type Task } from '../../env/index.ts';
import { makeAuthoredSuite } from './authored-suite.ts';
import { cliffSuite } from './cliff-suite.ts';
import { eventsSuite } from './events-suite.ts';
import type { Suite } from './suite.ts';

/** Every source of tasks. Of two of one name, the first is what `--suite` takes, the other is known by its ids alone. */
export const suites: readonly Suite[] = [
  cliffSuite,
  eventsSuite,
  makeAuthoredSuite('solo', 'A', 'A-BUF-001'),
  makeAuthoredSuite('events', 'B', 'B-DIE-001'),
  makeAuthoredSuite('control', 'C', 'C-FANOUT-001'),
];

/** Throws an InputError (`E_SUITE`) for a suite that this version does not have. */
export function findSuite(name: string, where: string): Suite {
  const suite = suites.find((each) => each.name === name);
  if (suite === undefined) throw suiteError(name, where);
  return suite;
}

/** Whether a word is meant to be the id of a task of ours; it may still be a wrong one. */
export function isTaskId(word: string): boolean {
  return suites.some((suite) => suite.owns(word));
}

/**
 * Reads a task id; the returned function makes its task. Throws an InputError: `E_TASK_ID` for text that is no id, and as
 * its suite does.
 */
export function parseTaskId(id: string): () => Task {
  const suite = suites.find((each) => each.owns(id));
  if (suite !== undefined) return suite.parseId(id);
  throw idError(id);
}

/** Makes the task that an id names. Throws an InputError as `parseTaskId` does. */
export function makeTask(id: string): Task {
  return parseTaskId(id)();
}

function suiteError(name: string, where: string): InputError {
  return new InputError({
    code: 'E_SUITE',
    what: 'Cannot find a suite of tasks',
    where,
    expected: `one of ${[...new Set(suites.map((suite) => suite.name))].join(', ')}`,
    found: JSON.stringify(name),
  });
}

function idError(id: string): InputError {
  return new InputError({
    code: 'E_TASK_ID',
    what: 'Cannot read a task id',
    where: JSON.stringify(id),
    expected: `an id such as ${suites.map(({ example }) => example).join(' or ')}`,
    found: JSON.stringify(id),
  });
}
