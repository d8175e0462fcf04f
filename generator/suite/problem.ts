import { InputError } from '../../env/index.ts';
import { findPlace, formatFrame, type Place } from './place.ts';

/** Where in a task file something stands: keys and indexes. */
export type FilePath = readonly (string | number)[];

/** One thing that is wrong with a task file, before its place in the text is known. */
export interface Problem {
  /** Stable: `E_TASK_…`. */
  readonly code: string;
  readonly what: string;
  readonly path: FilePath;
  /** Whether the key is at fault, not its value. */
  readonly atKey?: boolean;
  readonly expected?: string;
  readonly found?: string;
  readonly hint?: string;
}

/** The text of a task file and where it lies. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/**
 * The first problem by its place (what is missing comes last), as an InputError with path, line, column and a code frame; its hint counts the rest.
 * Throws a RangeError for no problems.
 */
export function makeFileError(source: Source, problems: readonly Problem[]): InputError {
  const placed = problems
    .map((problem) => ({ problem, place: findPlace(source.text, problem.path, problem.atKey === true) }))
    .sort((left, right) => rank(left.problem) - rank(right.problem) || comparePlaces(left.place, right.place));
  const [first, ...others] = placed;
  if (first === undefined) throw new RangeError('Cannot make an error of no problems');
  const more = others.map(({ problem, place }) => `${place.line}:${place.column} ${problem.code}`);
  return makePlacedError(source, first.problem, first.place, more);
}

/** What is missing has no place of its own, and is often an unknown key by its right name. */
function rank({ code }: Problem): number {
  return code === 'E_TASK_MISSING' ? 1 : 0;
}

function comparePlaces(left: Place, right: Place): number {
  return left.line - right.line || left.column - right.column;
}

/** An InputError at a place that is known already. */
export function makePlacedError(
  source: Source,
  { code, what, path, expected, found, hint }: Omit<Problem, 'path'> & { readonly path?: FilePath },
  place: Place,
  more: readonly string[] = [],
): InputError {
  const key = path === undefined || path.length === 0 ? '' : ` (${formatPath(path)})`;
  const parts = [
    ...(hint === undefined ? [] : [hint]),
    ...(more.length === 0 ? [] : [`also in this file: ${more.join(', ')}`]),
  ];
  return new InputError({
    code,
    what,
    where: `${source.path}:${place.line}:${place.column}${key}`,
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    hint: `${parts.join('; ')}\n${formatFrame(source.text, place)}`,
  });
}

/** `checks[2].op` */
export function formatPath(path: FilePath): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`))
    .join('');
}
