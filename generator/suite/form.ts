import type { z } from 'zod';
import { type TaskFile, taskFileSchema } from './file-schema.ts';
import { listKeys } from './json-schema.ts';
import type { FilePath, Problem } from './problem.ts';

export type FormResult =
  | { readonly type: 'file'; readonly file: TaskFile }
  | { readonly type: 'problems'; readonly problems: readonly Problem[] };

/** Checks the form of a parsed task file: its keys and the types of their values. Pure. */
export function checkForm(value: unknown): FormResult {
  const result = taskFileSchema.safeParse(value);
  if (result.success) return { type: 'file', file: result.data };
  return { type: 'problems', problems: result.error.issues.flatMap((issue) => describeIssue(issue, value)) };
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue, root: unknown): readonly Problem[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key));
  const value = readPath(root, path);
  if (value === undefined) return [missing(path)];
  return [misfit(issue, path, value)];
}

function unknownKey(path: FilePath, key: string): Problem {
  return {
    code: 'E_TASK_KEY',
    what: `Cannot use key "${key}"`,
    path: [...path, key],
    atKey: true,
    expected: `one of ${listKeys(path).join(', ')}`,
    found: JSON.stringify(key),
  };
}

function missing(path: FilePath): Problem {
  const key = String(path.at(-1) ?? '');
  return {
    code: 'E_TASK_MISSING',
    what: `Cannot do without key "${key}"`,
    path,
    expected: `"${key}"`,
    found: 'nothing',
  };
}

function misfit(issue: Issue, path: FilePath, value: unknown): Problem {
  const found = JSON.stringify(value)?.slice(0, 80) ?? typeof value;
  const key = String(path.at(-1) ?? '');
  const what = `Cannot use the value of "${key}"`;
  if (issue.code === 'invalid_type') return { code: 'E_TASK_TYPE', what, path, expected: issue.expected, found };
  if (issue.code === 'invalid_union') return { code: 'E_TASK_TYPE', what, path, expected: 'another type', found };
  if (issue.code !== 'invalid_value') return { code: 'E_TASK_VALUE', what, path, expected: issue.message, found };
  const expected = `one of ${issue.values.map(String).join(', ')}`;
  return { code: key === 'op' ? 'E_TASK_OP' : 'E_TASK_VALUE', what, path, expected, found };
}

function readPath(root: unknown, path: FilePath): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return value;
}
