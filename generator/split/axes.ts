import type { Task } from '../../env/index.ts';
import {
  type Axis,
  armAxis,
  delegationAxis,
  depthAxis,
  eventCountAxis,
  formatRange,
  hasValue,
  intersectSpans,
  isWithin,
  kindAxis,
  levelAxis,
  opsAxis,
  paraphraseAxis,
  parseRange,
  parseWord,
  parseWords,
  profileAxis,
  type Spans,
  seedAxis,
  suiteAxis,
  taskAxis,
  type WordAxis,
  type Words,
} from '../range/index.ts';

interface SpanRule {
  readonly axis: Axis;
  readonly read: (task: Task) => number | null;
}

interface WordRule {
  readonly axis: WordAxis;
  readonly read: (task: Task) => string | null;
}

/** The axes of tasks whose values are numbers, in the order in which they are explained. */
const spanRules = {
  depths: { axis: depthAxis, read: ({ depth }) => depth },
  ops: { axis: opsAxis, read: ({ ops }) => ops },
  levels: { axis: levelAxis, read: ({ axes }) => axes?.level ?? null },
  counts: { axis: eventCountAxis, read: ({ axes }) => axes?.count ?? null },
  seeds: { axis: seedAxis, read: ({ seed }) => seed },
  paraphrases: { axis: paraphraseAxis, read: ({ paraphrase }) => paraphrase },
} as const satisfies Readonly<Record<string, SpanRule>>;

/** The axes whose values are words. */
const wordRules = {
  suites: { axis: suiteAxis, read: ({ suite }) => suite },
  profiles: { axis: profileAxis, read: ({ profile }) => profile },
  kinds: { axis: kindAxis, read: kindOf },
  arms: { axis: armAxis, read: ({ axes }) => axes?.arm ?? null },
  delegations: { axis: delegationAxis, read: ({ axes }) => axes?.delegation ?? null },
  tasks: { axis: taskAxis, read: ({ id }) => id },
} as const satisfies Readonly<Record<string, WordRule>>;

type SpanName = keyof typeof spanRules;
type WordName = keyof typeof wordRules;
export type AxisName = SpanName | WordName;

/** A set of tasks by axis: all stated axes must hold, and null admits everything. */
export type TaskAxes = { readonly [Name in SpanName]: Spans | null } & { readonly [Name in WordName]: Words | null };

/** The same as people write it: ranges as text, words as text with commas or as a list. */
export type AxisTexts = { readonly [Name in AxisName]?: string | readonly string[] | undefined };

const spanNames = Object.keys(spanRules) as readonly SpanName[];
const wordNames = Object.keys(wordRules) as readonly WordName[];
export const axisNames: readonly AxisName[] = [...spanNames, ...wordNames];

/** Throws an InputError as `parseRange` and `parseWords` do; `place` turns the name of an axis into what errors name. */
export function parseAxes(texts: AxisTexts, place: (name: AxisName) => string): TaskAxes {
  return Object.fromEntries([
    ...spanNames.map((name) => [name, readSpans(texts[name], spanRules[name].axis, place(name))]),
    ...wordNames.map((name) => [name, readWords(texts[name], wordRules[name].axis, place(name))]),
  ]) as TaskAxes;
}

/** What is in both. */
export function intersectAxes(left: TaskAxes, right: TaskAxes): TaskAxes {
  return Object.fromEntries([
    ...spanNames.map((name) => [name, both(left[name], right[name], intersectSpans)]),
    ...wordNames.map((name) => [name, both(left[name], right[name], intersectWords)]),
  ]) as TaskAxes;
}

/** What is known of a task by axis: undefined where nothing is, null where the axis does not apply. */
export type AxisFacts = { readonly [Name in SpanName]?: number | null | undefined } & {
  readonly [Name in WordName]?: string | null | undefined;
};

/** Why a task is outside, such as `depth D3 is not in D0-D2`; null where it is inside. */
export function explainOutside(task: Task, axes: TaskAxes): string | null {
  return explainBy(
    axes,
    (name) => spanRules[name].read(task),
    (name) => wordRules[name].read(task),
  );
}

/** The same for what is known of a task: an axis of which nothing is known says nothing. */
export function explainFacts(facts: AxisFacts, axes: TaskAxes): string | null {
  return explainBy(
    axes,
    (name) => facts[name],
    (name) => facts[name],
  );
}

/** Whether there is a fact for every axis that is limited. */
export function isDecided(facts: AxisFacts, axes: TaskAxes): boolean {
  return axisNames.every((name) => axes[name] === null || facts[name] !== undefined);
}

/** Whether everything that `inner` admits on an axis is admitted by `outer` on the same axis. */
export function isAxisWithin(name: AxisName, inner: TaskAxes, outer: TaskAxes): boolean {
  const [small, large] = [inner[name], outer[name]];
  if (large === null) return true;
  if (small === null) return false;
  if (isWords(large)) return isWords(small) && [...small].every((word) => large.has(word));
  return !isWords(small) && isWithin(small, large);
}

/** The kind of a task's events, also of a task that does not say it; null without events. */
function kindOf({ axes, events }: Task): string | null {
  if (axes !== undefined) return axes.kind;
  const kinds = new Set(events.map(({ kind }) => kind));
  return kinds.size > 1 ? 'mixed' : ([...kinds][0] ?? null);
}

function explainBy(
  axes: TaskAxes,
  numberOf: (name: SpanName) => number | null | undefined,
  wordOf: (name: WordName) => string | null | undefined,
): string | null {
  for (const name of wordNames) {
    const value = axes[name] === null ? undefined : wordOf(name);
    const reason = value === undefined ? null : explainWord(value, axes[name], wordRules[name].axis);
    if (reason !== null) return reason;
  }
  for (const name of spanNames) {
    const value = axes[name] === null ? undefined : numberOf(name);
    const reason = value === undefined ? null : explainNumber(value, axes[name], spanRules[name].axis);
    if (reason !== null) return reason;
  }
  return null;
}

function isWords(values: Spans | Words): values is Words {
  return values instanceof Set;
}

function readSpans(text: AxisTexts[SpanName], axis: Axis, where: string): Spans | null {
  if (text === undefined) return null;
  return parseRange(typeof text === 'string' ? text : text.join(','), axis, where);
}

function readWords(text: AxisTexts[WordName], axis: WordAxis, where: string): Words | null {
  if (text === undefined) return null;
  if (typeof text === 'string') return parseWords(text, axis, where);
  return new Set(text.map((word) => parseWord(word, axis, where)));
}

function both<Values>(
  left: Values | null,
  right: Values | null,
  intersect: (left: Values, right: Values) => Values,
): Values | null {
  if (left === null || right === null) return left ?? right;
  return intersect(left, right);
}

function intersectWords(left: Words, right: Words): Words {
  return new Set([...left].filter((word) => right.has(word)));
}

/** A task without the axis is outside of what is limited on it. */
function explainNumber(value: number | null, spans: Spans | null, axis: Axis): string | null {
  if (spans === null) return null;
  const text = formatRange(spans, axis);
  if (value === null) return `it has no ${axis.name}, and only ${text} is inside`;
  return hasValue(spans, value) ? null : `${axis.name} ${axis.prefix}${value} is not in ${text}`;
}

function explainWord(value: string | null, words: Words | null, axis: WordAxis): string | null {
  if (words === null) return null;
  if (axis === taskAxis) return value !== null && words.has(value) ? null : 'its id is not listed';
  const text = [...words].join(', ');
  if (value === null) return `it has no ${axis.name}, and only ${text} is inside`;
  return words.has(value) ? null : `${axis.name} "${value}" is not one of ${text}`;
}
