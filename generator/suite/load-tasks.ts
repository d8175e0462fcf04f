import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, packageRoot, type Task } from '../../env/index.ts';
import { loadTaskFile } from './load-task.ts';

/** Where the tasks of the house lie. */
export const suiteFolder = join(packageRoot(), 'data', 'tasks');

/** The hand-written suites, one folder each. */
export const suiteNames = ['solo', 'events', 'control'] as const;
export type SuiteName = (typeof suiteNames)[number];

/**
 * Every task below a folder: each `.toml` in it and in its sub-folders, by path. Throws an InputError as `loadTaskFile`
 * does, `E_TASKS` where there is none, `E_TASK_ID` where two tasks have one id.
 */
export function loadTaskFolder(folder: string): readonly Task[] {
  const paths = listTaskFiles(folder);
  if (paths.length === 0) throw emptyError(folder);
  const seen = new Map<string, string>();
  return paths.map((path) => {
    const task = loadTaskFile(path);
    const before = seen.get(task.id);
    if (before !== undefined) throw duplicateError(task.id, path, before);
    seen.set(task.id, path);
    return task;
  });
}

/** Paths of the task files below a folder, sorted; hidden ones are left out. */
export function listTaskFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => listEntry(folder, entry));
}

/** A whole suite of the house, by id. */
export function loadSuite(name: SuiteName): readonly Task[] {
  return loadTaskFolder(join(suiteFolder, name));
}

/** The hand-written task of an id, or null where there is none. */
export function findSuiteTask(id: string): Task | null {
  if (!/^[ABC]-[A-Z0-9-]+$/.test(id)) return null;
  const path = suiteNames.map((name) => join(suiteFolder, name, `${id}.toml`)).find((each) => existsSync(each));
  return path === undefined ? null : loadTaskFile(path);
}

function listEntry(folder: string, entry: Dirent): readonly string[] {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return listTaskFiles(path);
  return entry.name.endsWith('.toml') ? [path] : [];
}

function emptyError(folder: string): InputError {
  return new InputError({
    code: 'E_TASKS',
    what: 'Cannot find tasks in a folder',
    where: folder,
    expected: 'task files (.toml) in it or in its folders',
    found: 'none',
  });
}

function duplicateError(id: string, path: string, before: string): InputError {
  return new InputError({
    code: 'E_TASK_ID',
    what: 'Cannot use two tasks of one id',
    where: `${path}:1:1`,
    expected: 'an id of its own',
    found: `"${id}", as in ${before}`,
  });
}
