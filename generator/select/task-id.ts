import { InputError, type Task } from '../../env/index.ts';
import { type CliffSpec, makeCliffTask, parseProfile } from '../cliff/index.ts';
import { depthAxis, opsAxis, parseValue, seedAxis } from '../range/index.ts';

/**
 * Reads a task id, such as `cliff-d3-n8-s42`, into what its task is made from. Throws an InputError: `E_TASK_ID` for
 * text that is no id, `E_SUITE` and `E_PROFILE` for tasks that this version does not generate, `E_DEPTH`, `E_OPS` and
 * `E_SEED` for coordinates outside of the grid.
 */
export function parseTaskId(id: string): CliffSpec {
  const [suite = ''] = id.split('-', 1);
  if (suite.startsWith('cliff.')) parseProfile(suite.slice('cliff.'.length), id);
  if (suite === 'events' || suite === 'control' || suite === 'solo') throw suiteError(suite, id);
  const match = /^cliff-d(0|[1-9]\d*)-n(0|[1-9]\d*)-s(0|[1-9]\d*)$/.exec(id);
  if (match === null) throw idError(id);
  const [, depth = '', ops = '', seed = ''] = match;
  return {
    depth: parseValue(depth, depthAxis, id),
    ops: parseValue(ops, opsAxis, id),
    seed: parseValue(seed, seedAxis, id),
    profile: 'fair',
  };
}

/** Makes the task that an id names. Throws an InputError as `parseTaskId` does. */
export function makeTask(id: string): Task {
  return makeCliffTask(parseTaskId(id));
}

/** Throws an InputError (`E_SUITE`) for a suite that this version does not generate. */
export function parseSuite(text: string, where: string): 'cliff' {
  if (text !== 'cliff') throw suiteError(text, where);
  return text;
}

function suiteError(suite: string, where: string): InputError {
  return new InputError({
    code: 'E_SUITE',
    what: 'Cannot generate tasks of a suite',
    where,
    expected: '"cliff"',
    found: JSON.stringify(suite),
    hint: 'this version generates the cliff only',
  });
}

function idError(id: string): InputError {
  return new InputError({
    code: 'E_TASK_ID',
    what: 'Cannot read a task id',
    where: JSON.stringify(id),
    expected: 'an id such as cliff-d3-n8-s42, without leading zeros',
    found: JSON.stringify(id),
  });
}
