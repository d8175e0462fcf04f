import { InputError, type Task } from '../../env/index.ts';
import {
  type Axis,
  depthAxis,
  hasValue,
  opsAxis,
  paraphraseAxis,
  parseRange,
  type Spans,
  seedAxis,
} from '../range/index.ts';
import { hashJson, type SplitRules } from './split-file.ts';

/** A named, frozen set of tasks. */
export interface Split {
  /** As it was asked for, an alias included. */
  readonly name: string;
  /** The file's path. */
  readonly file: string;
  /** `file:name` for records, the file without folder and ending: `cliff:train`. */
  readonly label: string;
  /** SHA-256 of the rules: equal for a split and its alias, unmoved by other splits of the file. */
  readonly hash: string;
  readonly role: SplitRules['role'];
  readonly axes: SplitAxes;
  allows(task: Task): boolean;
  /** Why a task is outside, such as `depth D3 is not in D0-D2`; null where it is inside. */
  explain(task: Task): string | null;
}

/** The rules, parsed; null admits everything. */
export interface SplitAxes {
  readonly suites: ReadonlySet<string> | null;
  readonly depths: Spans | null;
  readonly ops: Spans | null;
  readonly seeds: Spans | null;
  readonly paraphrases: Spans | null;
  readonly tasks: ReadonlySet<string> | null;
}

/** Makes a split from its rules. Throws an InputError for a malformed range. */
export function makeSplit(rules: SplitRules, name: string, file: string): Split {
  const where = `${file}: splits.${name}`;
  const axes: SplitAxes = {
    suites: rules.suites === undefined ? null : new Set(rules.suites),
    depths: readAxis(rules.depths, depthAxis, `${where}.depths`),
    ops: readAxis(rules.ops, opsAxis, `${where}.ops`),
    seeds: readAxis(rules.seeds, seedAxis, `${where}.seeds`),
    paraphrases: readAxis(rules.paraphrases, paraphraseAxis, `${where}.paraphrases`),
    tasks: rules.tasks === undefined ? null : new Set(rules.tasks),
  };
  const explain = (task: Task) => explainTask(task, axes, rules);
  const { description: _, ...hashed } = rules;
  const label = `${file.replace(/^.*\//, '').replace(/\.toml$/, '')}:${name}`;
  const allows = (task: Task) => explain(task) === null;
  return { name, file, label, hash: hashJson(hashed), role: rules.role, axes, allows, explain };
}

/** Throws an InputError (`E_SPLIT`) that names the task and the reason, unless the split allows it. */
export function requireAllowed(split: Split, task: Task): void {
  const reason = split.explain(task);
  if (reason === null) return;
  throw new InputError({
    code: 'E_SPLIT',
    what: `Cannot use task ${task.id} under split "${split.name}"`,
    where: split.label,
    expected: 'a task inside the split',
    found: reason,
  });
}

function readAxis(text: string | undefined, axis: Axis, where: string): Spans | null {
  return text === undefined ? null : parseRange(text, axis, where);
}

function explainTask(task: Task, axes: SplitAxes, rules: SplitRules): string | null {
  if (axes.suites !== null && !axes.suites.has(task.suite)) return `suite "${task.suite}" is not one of its suites`;
  return (
    explainValue(task.depth, axes.depths, rules.depths, depthAxis) ??
    explainValue(task.ops, axes.ops, rules.ops, opsAxis) ??
    explainValue(task.seed, axes.seeds, rules.seeds, seedAxis) ??
    explainValue(task.paraphrase, axes.paraphrases, rules.paraphrases, paraphraseAxis) ??
    (axes.tasks === null || axes.tasks.has(task.id) ? null : 'its id is not listed')
  );
}

/** A task without the axis is outside of a split that is limited on it. */
function explainValue(value: number | null, spans: Spans | null, text = '', axis: Axis): string | null {
  if (spans === null) return null;
  if (value === null) return `it has no ${axis.name}, and the split is limited to ${text}`;
  return hasValue(spans, value) ? null : `${axis.name} ${axis.prefix}${value} is not in ${text}`;
}
