import { InputError } from '../../env/index.ts';
import type { Loop, LoopOptions } from './loop.ts';
import { makeScaffoldLoop } from './scaffold.ts';
import { makeScriptLoop } from './script.ts';
import { makeTextLoop } from './text.ts';
import { makeToolLoop } from './tool.ts';

const loops = {
  script: makeScriptLoop,
  text: makeTextLoop,
  tool: makeToolLoop,
  scaffold: makeScaffoldLoop,
} satisfies Readonly<Record<string, (options: LoopOptions) => Loop>>;

export type LoopName = keyof typeof loops;
export const loopNames = Object.keys(loops) as readonly LoopName[];

/**
 * Throws an InputError for a name that is not registered (`E_LOOP`), and for options that the loop lacks or does not
 * take (`E_SCAFFOLD`).
 */
export function createLoop(name: string, options: LoopOptions = {}): Loop {
  if (!Object.hasOwn(loops, name)) {
    throw new InputError({
      code: 'E_LOOP',
      what: 'Cannot choose a loop',
      where: '--loop',
      expected: loopNames.join(', '),
      found: `"${name}"`,
    });
  }
  if (options.scaffold !== undefined && name !== 'scaffold') {
    throw new InputError({
      code: 'E_SCAFFOLD',
      what: 'Cannot run an outside agent',
      where: `--loop ${name}`,
      expected: '--loop scaffold beside --scaffold',
      found: `"${name}"`,
    });
  }
  return loops[name as LoopName](options);
}
