import { InputError, parseRunKey, type RunKey } from '../env/index.ts';

/** Reads `--key`. Throws an InputError (`E_KEY`). */
export function parseKeyFlag(text: string): RunKey {
  try {
    return parseRunKey(text);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const found = `${text.length} characters`;
    const hint = 'muxgym keys new makes one';
    throw new InputError({
      code: 'E_KEY',
      what: 'Cannot use a run key',
      where: '--key',
      expected: '64 lower-case hex digits',
      found,
      hint,
      cause,
    });
  }
}
