import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, type Task } from '../../env/index.ts';
import { loadTaskFile, loadTaskFolder } from '../suite/index.ts';
import { readTasks } from './read-tasks.ts';
import { parseTaskId } from './registry.ts';

/** Tasks that were named one by one: the ids, files and folders of `--tasks`. Task files in TOML are read at once. */
export interface TaskSource {
  readonly name: string;
  tasks(): Iterable<Task>;
}

/**
 * Reads a word of `--tasks`: a file of tasks, a folder that holds `tasks.jsonl` or task files in TOML, or task ids
 * separated by commas. Throws an InputError (`E_TASKS`) where it is none of them, and as `parseTaskId` and
 * `loadTaskFile` do.
 */
export function parseTaskSource(word: string): readonly TaskSource[] {
  if (existsSync(word)) return [pathSource(word)];
  return word.split(',').map((part) => parsePart(part.trim(), word));
}

function parsePart(part: string, word: string): TaskSource {
  if (existsSync(part)) return pathSource(part);
  if (part === '' || part.includes('/') || /\.(jsonl|json|toml)$/.test(part)) throw sourceError(word, part);
  const make = parseTaskId(part);
  return { name: part, tasks: () => [make()] };
}

function pathSource(path: string): TaskSource {
  if (!statSync(path).isDirectory())
    return path.endsWith('.toml') ? madeSource(path, [loadTaskFile(path)]) : lineSource(path);
  const lines = join(path, 'tasks.jsonl');
  return existsSync(lines) ? lineSource(lines) : madeSource(path, loadTaskFolder(path));
}

function lineSource(path: string): TaskSource {
  return { name: path, tasks: () => readTasks(path) };
}

function madeSource(name: string, tasks: readonly Task[]): TaskSource {
  return { name, tasks: () => tasks };
}

function sourceError(word: string, part: string): InputError {
  return new InputError({
    code: 'E_TASKS',
    what: 'Cannot find tasks',
    where: JSON.stringify(word),
    expected: 'task ids separated by commas, a file of tasks, or a folder of tasks',
    found: `${JSON.stringify(part)}, which is no task id and does not exist`,
  });
}
