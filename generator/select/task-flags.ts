import { InputError } from '../../env/index.ts';
import { type AxisName, type AxisTexts, intersectAxes, parseAxes, type Split, type TaskAxes } from '../split/index.ts';
import type { Suite } from './suite.ts';

/** The ranges that choose tasks, by their flags. */
export const gridFlagNames = [
  'depths',
  'ops',
  'seeds',
  'kinds',
  'levels',
  'counts',
  'arms',
  'delegations',
  'paraphrases',
  'profile',
] as const;

/** The ranges of tasks as users write them. */
export type GridFlags = { readonly [Name in (typeof gridFlagNames)[number]]?: string | undefined };

/** The choice of tasks as users write it: flags of a command or fields of a config. */
export interface TaskFlags extends GridFlags {
  /** @default cliff */
  readonly suite?: string | undefined;
  /** Ids (also several with commas), files of tasks, folders that hold `tasks.jsonl`. */
  readonly tasks?: readonly string[] | undefined;
  /** `FILE:NAME`. Narrows a grid; a named task outside of it is refused. */
  readonly split?: string | undefined;
  /** At most this many tasks, before sharding. */
  readonly limit?: number | undefined;
  /** `i/N`, from 1. */
  readonly shard?: string | undefined;
}

/** All flags that choose tasks. */
export const taskFlagNames = ['tasks', 'suite', ...gridFlagNames, 'split', 'limit', 'shard'] as const;

/** The published grid with three seeds: the default wherever cliff tasks are chosen by ranges. */
export const publishedGrid = { depths: 'D0-D4', ops: '1,2,4,8,16', seeds: '0-2' } as const;

/** The axes that flags state, and no others. Throws an InputError as `parseAxes` does, naming the flag. */
export function parseFlags(flags: TaskFlags): TaskAxes {
  return parseAxes({ ...textsOf(flags), suites: flags.suite }, flagOf);
}

/**
 * The axes of a grid of a suite: what flags state, else what `defaults` or the suite say for the axes that the suite
 * has, inside of the split. Throws an InputError as `parseAxes` does, and `E_AXIS` for a flag that the suite cannot have.
 */
export function parseGridFlags(
  flags: GridFlags,
  suite: Suite,
  { defaults, split }: { readonly defaults: GridFlags; readonly split: Split | null },
): TaskAxes {
  const given = textsOf(flags);
  const foreign = axesOf(given).find((axis) => axis !== 'paraphrases' && !Object.hasOwn(suite.defaults, axis));
  if (foreign !== undefined) throw axisError(foreign, suite);
  const fallback: AxisTexts = { ...suite.defaults, ...textsOf(defaults) };
  const texts = Object.fromEntries(axesOf(suite.defaults).map((axis) => [axis, fallback[axis]]));
  const axes = parseAxes({ ...texts, ...given, suites: suite.name }, flagOf);
  return split === null ? axes : narrowAxes(axes, split.axes, axesOf(given));
}

/** What is in both; where a fallback has nothing in common with the split, what the split says. */
function narrowAxes(axes: TaskAxes, outer: TaskAxes, given: readonly AxisName[]): TaskAxes {
  const both = intersectAxes(axes, outer);
  const isFree = (axis: AxisName) => axis !== 'suites' && !given.includes(axis) && isNone(both[axis]);
  const freed = (Object.keys(both) as readonly AxisName[]).filter(isFree);
  return { ...both, ...Object.fromEntries(freed.map((axis) => [axis, outer[axis]])) };
}

function isNone(values: TaskAxes[AxisName]): boolean {
  return values !== null && (values instanceof Set ? values.size === 0 : [...values].length === 0);
}

/** Without what is not given. */
function textsOf({ profile, ...ranges }: GridFlags): AxisTexts {
  const names = ['depths', 'ops', 'seeds', 'kinds', 'levels', 'counts', 'arms', 'delegations', 'paraphrases'] as const;
  const given = names.filter((name) => ranges[name] !== undefined).map((name) => [name, ranges[name]]);
  return Object.fromEntries(profile === undefined ? given : [...given, ['profiles', profile]]);
}

function axesOf(texts: AxisTexts): readonly AxisName[] {
  return Object.keys(texts) as readonly AxisName[];
}

function flagOf(axis: AxisName): string {
  return axis === 'profiles' ? '--profile' : `--${axis}`;
}

function axisError(axis: AxisName, suite: Suite): InputError {
  return new InputError({
    code: 'E_AXIS',
    what: `Cannot choose tasks of suite "${suite.name}" by ${axis}`,
    where: flagOf(axis),
    expected: `any of ${axesOf(suite.defaults).map(flagOf).join(', ')}`,
    found: flagOf(axis),
  });
}
