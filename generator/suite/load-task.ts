import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Task, taskSchema } from '../../env/index.ts';
import { compileTask } from './compile-task.ts';
import type { TaskFile } from './file-schema.ts';
import { checkForm } from './form.ts';
import { checkText, parseSource, readSource } from './parse-text.ts';
import { type FilePath, makeFileError, type Problem, type Source } from './problem.ts';
import { findCheckProblems } from './rule-checks.ts';
import { findNameProblems } from './rule-names.ts';
import { findSecretProblems } from './rule-secrets.ts';
import { findShapeProblems } from './rule-shape.ts';
import { findWorldProblems } from './rule-world.ts';

/**
 * Reads one task file, ours or of the published format, beside which a `naive.sh` may lie. Throws an InputError
 * (`E_TASK_…`) with path, line, column and a code frame for the first problem by place; never warns.
 */
export function loadTaskFile(path: string): Task {
  const beside = join(dirname(path), 'naive.sh');
  return makeTaskOf(readSource(path), existsSync(beside) ? readFileSync(beside, 'utf8') : null);
}

/** As `loadTaskFile`, from a text; `path` is what errors call it. */
export function parseTaskFile(text: string, path: string): Task {
  return makeTaskOf(checkText({ path, text }), null);
}

function makeTaskOf(source: Source, naive: string | null): Task {
  const form = checkForm(parseSource(source));
  if (form.type === 'problems') throw makeFileError(source, form.problems);
  const problems = rules.flatMap((rule) => rule(form.file));
  if (problems.length > 0) throw makeFileError(source, problems);
  const result = taskSchema.safeParse(compileTask(form.file, naive));
  if (result.success) return result.data;
  throw makeFileError(
    source,
    result.error.issues.map((issue) => describeIssue(issue, form.file)),
  );
}

const rules: readonly ((file: TaskFile) => readonly Problem[])[] = [
  findShapeProblems,
  findNameProblems,
  findWorldProblems,
  findSecretProblems,
  findCheckProblems,
];

/** Names of the task's schema that a file spells otherwise. */
const spelled: Readonly<Record<string, string>> = { atMs: 'at', deadlineMs: 'deadline', everyMs: 'every' };

interface Issue {
  readonly code: string;
  readonly message: string;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
}

/** What only the schema of tasks can tell: the keys of an event's kind, and commands that a probe may run. */
function describeIssue({ code, message, path, keys = [] }: Issue, { events }: TaskFile): Problem {
  const [list, index] = path;
  const at = path.map((part) => (typeof part === 'symbol' ? '' : (spelled[String(part)] ?? part)));
  if (list === 'events') {
    const kind = events[Number(index)]?.kind ?? '';
    const [key] = keys;
    const inner: FilePath = key === undefined ? at : [...at, spelled[key] ?? key];
    const expected = key === undefined ? `"${String(at.at(-1))}" as "${kind}" takes it` : `keys of "${kind}"`;
    return {
      code: 'E_TASK_EVENT_KEY',
      what: `Cannot use an event of kind "${kind}"`,
      path: inner,
      atKey: true,
      expected,
      found: message,
    };
  }
  if (list === 'checks') {
    const inner: FilePath = ['checks', Number(index), ...(path.includes('argv') ? ['tmux'] : [])];
    return { code: 'E_TASK_PROBE', what: 'Cannot read a probe', path: inner, expected: message, found: code };
  }
  return { code: 'E_TASK_VALUE', what: 'Cannot make a task', path: at, expected: message, found: code };
}
