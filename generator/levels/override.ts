import { InputError } from '../../env/index.ts';
import type { LevelChoices } from './level.ts';

/** Choices of a level that are replaced. */
export type Overrides = { readonly [Key in keyof LevelChoices]?: LevelChoices[Key] };

interface Choice {
  /** What may stand after the `=`, for messages. */
  readonly expected: string;
  /** Undefined for text that is no value of it. */
  readonly parse: (text: string) => string | number | undefined;
}

/** The keys in the order in which an id lists them. */
const choices: { readonly [Key in keyof LevelChoices]: Choice } = {
  bystanders: number(0, 12),
  chatter: number(0, 4),
  decoys: number(0, 6),
  delegation: word('solo', 'one', 'nested'),
  depth: number(0, 3),
  length: word('short', 'long'),
  naming: word('list', 'session'),
  spacing: number(1, 60),
  tokens: number(1, 8),
};

/** The keys of overrides, sorted. */
export const overrideKeys = Object.keys(choices) as readonly (keyof LevelChoices)[];

/** `~key=value` for each override, sorted by key. */
export function formatOverrides(overrides: Overrides): string {
  const given = overrideKeys.filter((key) => overrides[key] !== undefined);
  return given.map((key) => `~${key}=${overrides[key]}`).join('');
}

/**
 * Reads `~chatter=0~length=long`. A task has one name: keys are sorted, and none repeats what the level says. Throws an
 * InputError (`E_OVERRIDE`) that names the part.
 */
export function parseOverrides(text: string, level: LevelChoices, where: string): Overrides {
  const entries = text
    .split('~')
    .slice(1)
    .map((part) => parseOne(part, level, where));
  const overrides: Overrides = Object.fromEntries(entries);
  if (formatOverrides(overrides) === text) return overrides;
  throw overrideError(where, 'keys in alphabetic order, each once, such as ~chatter=0~length=long', text);
}

/** Throws an InputError (`E_OVERRIDE`) for a value outside of its range. */
export function validateOverrides(overrides: Overrides, level: LevelChoices, where: string): void {
  parseOverrides(formatOverrides(overrides), level, where);
}

function parseOne(part: string, level: LevelChoices, where: string): readonly [string, string | number] {
  const [key = '', text = ''] = part.split('=', 2);
  const known = overrideKeys.find((name) => name === key);
  if (known === undefined) throw overrideError(where, `one of ${overrideKeys.join(', ')}`, `~${part}`);
  const value = choices[known].parse(text);
  if (value === undefined || part !== `${key}=${value}`) {
    throw overrideError(where, `${key}=${choices[known].expected}`, `~${part}`);
  }
  if (value === level[known]) throw overrideError(where, `another ${key} than the level's own`, `~${part}`);
  return [known, value];
}

function number(least: number, most: number): Choice {
  const parse = (text: string) => {
    const value = /^\d{1,3}$/.test(text) ? Number(text) : -1;
    return value >= least && value <= most ? value : undefined;
  };
  return { expected: `a whole number from ${least} to ${most}`, parse };
}

function word(...words: readonly string[]): Choice {
  return { expected: words.join(' or '), parse: (text) => words.find((each) => each === text) };
}

function overrideError(where: string, expected: string, found: string): InputError {
  return new InputError({ code: 'E_OVERRIDE', what: "Cannot override a level's choice", where, expected, found });
}
