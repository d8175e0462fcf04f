import { InputError } from '../../env/index.ts';
import { type CliffSpec, parseProfile } from '../cliff/index.ts';
import { depthAxis, opsAxis, parseValue, seedAxis } from '../range/index.ts';

/**
 * Reads the id of a cliff task, such as `cliff-d3-n8-s42` or `cliff.classic-d3-n8-s42`, into what its task is made
 * from. Throws an InputError: `E_TASK_ID` for text that is no such id, `E_PROFILE`, `E_DEPTH`, `E_OPS` and `E_SEED` for
 * coordinates outside of the grid.
 */
export function parseCliffId(id: string): CliffSpec {
  const match = /^cliff(?:\.([a-z]+))?-d(0|[1-9]\d*)-n(0|[1-9]\d*)-s(0|[1-9]\d*)$/.exec(id);
  if (match === null || match[1] === 'fair') throw idError(id);
  const [, profile = 'fair', depth = '', ops = '', seed = ''] = match;
  return {
    depth: parseValue(depth, depthAxis, id),
    ops: parseValue(ops, opsAxis, id),
    seed: parseValue(seed, seedAxis, id),
    profile: parseProfile(profile, id),
  };
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
