import { Option } from 'commander';
import { InputError } from '../env/index.ts';

/** A flag that takes a number within a range. Throws an InputError (`E_NUMBER`) for anything else. */
export function numberOption(
  flags: string,
  text: string,
  range: { readonly min: number; readonly max?: number },
): Option {
  const { min, max = 1e6 } = range;
  return new Option(flags, text).argParser((word: string) =>
    parseNumber(word, flags.split(' ')[0] ?? flags, { min, max }),
  );
}

export function parseNumber(
  word: string,
  flag: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const value = Number(word);
  if (word.trim() !== '' && value >= min && value <= max) return value;
  throw new InputError({
    code: 'E_NUMBER',
    what: 'Cannot read a number',
    where: flag,
    expected: `a number from ${min} to ${max}`,
    found: JSON.stringify(word),
  });
}
