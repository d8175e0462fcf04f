import { InputError } from '../../env/index.ts';
import { loadSplit, requireInside, type Split } from '../../generator/index.ts';
import type { SplitCeiling } from './split-gate.ts';

/** The ceiling of a server from `FILE:NAME`. Throws an InputError as `loadSplit` does. */
export function loadCeiling(reference: string): SplitCeiling {
  const split = loadSplit(reference);
  return { split, source: split.label, narrow: (name) => narrow(split, name) };
}

/** Throws `E_SPLIT` where the file has no such split, or it is not inside the ceiling. */
function narrow(ceiling: Split, name: string): Split {
  try {
    const inner = loadSplit(`${ceiling.file}:${name}`);
    requireInside(inner, ceiling);
    return inner;
  } catch (error) {
    throw error instanceof InputError ? new InputError({ ...error.facts, code: 'E_SPLIT', cause: error }) : error;
  }
}
