import { InputError } from '../../env/index.ts';
import type { Loop } from './loop.ts';
import { makeScriptLoop } from './script.ts';

const loops = { script: makeScriptLoop } satisfies Readonly<Record<string, () => Loop>>;

export type LoopName = keyof typeof loops;
export const loopNames = Object.keys(loops) as readonly LoopName[];

/** Throws an InputError (`E_LOOP`) for a name that is not registered. */
export function createLoop(name: string): Loop {
  if (!Object.hasOwn(loops, name)) {
    throw new InputError({
      code: 'E_LOOP',
      what: 'Cannot choose a loop',
      where: '--loop',
      expected: loopNames.join(', '),
      found: `"${name}"`,
    });
  }
  return loops[name as LoopName]();
}
