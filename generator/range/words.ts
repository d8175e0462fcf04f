import { InputError } from '../../env/index.ts';

/** An axis whose values are words: what a value is called, the code of an error, and the words that there are. */
export interface WordAxis {
  readonly name: string;
  readonly code: string;
  /** Null where any word may be a value. */
  readonly values: readonly string[] | null;
}

/** A set of words. */
export type Words = ReadonlySet<string>;

export const suiteAxis: WordAxis = { name: 'suite', code: 'E_SUITE', values: null };
export const taskAxis: WordAxis = { name: 'task', code: 'E_TASK_ID', values: null };
export const profileAxis: WordAxis = { name: 'profile', code: 'E_PROFILE', values: ['fair', 'classic'] };
export const kindAxis: WordAxis = {
  name: 'event kind',
  code: 'E_KIND',
  values: ['death', 'activity', 'silence', 'bell', 'completion', 'interrupt', 'mixed'],
};
export const armAxis: WordAxis = { name: 'arm', code: 'E_ARM', values: ['event', 'none', 'told'] };
export const delegationAxis: WordAxis = {
  name: 'delegation',
  code: 'E_DELEGATION',
  values: ['solo', 'one', 'nested'],
};

/**
 * Reads words of an axis, separated by commas. Throws an InputError with the axis's code for a word that it does not
 * have; `where` names the flag or field.
 */
export function parseWords(text: string, axis: WordAxis, where: string): Words {
  return new Set(text.split(',').map((part) => parseWord(part.trim(), axis, where)));
}

/** Reads one word of an axis. Throws as `parseWords` does. */
export function parseWord(word: string, axis: WordAxis, where: string): string {
  if (word !== '' && (axis.values === null || axis.values.includes(word))) return word;
  throw new InputError({
    code: axis.code,
    what: `Cannot use ${axis.name} ${JSON.stringify(word)}`,
    where,
    expected: axis.values === null ? 'a word' : `one of ${axis.values.join(', ')}`,
    found: JSON.stringify(word),
  });
}
