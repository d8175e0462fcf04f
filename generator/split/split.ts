import { InputError, type Task } from '../../env/index.ts';
import { type AxisTexts, explainOutside, parseAxes, type TaskAxes } from './axes.ts';
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
  readonly axes: TaskAxes;
  allows(task: Task): boolean;
  /** Why a task is outside, such as `depth D3 is not in D0-D2`; null where it is inside. */
  explain(task: Task): string | null;
}

/** Makes a split from its rules. Throws an InputError for a malformed range and for an unknown word. */
export function makeSplit(rules: SplitRules, name: string, file: string): Split {
  const { role, description: _, ...texts }: SplitRules & AxisTexts = rules;
  const axes = parseAxes(texts, (axis) => `${file}: splits.${name}.${axis}`);
  const explain = (task: Task) => explainOutside(task, axes);
  const label = `${file.replace(/^.*\//, '').replace(/\.toml$/, '')}:${name}`;
  const allows = (task: Task) => explain(task) === null;
  return { name, file, label, hash: hashJson({ role, ...texts }), role, axes, allows, explain };
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
