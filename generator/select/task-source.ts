import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, type Task } from '../../env/index.ts';
import { readTasks } from './read-tasks.ts';
import { parseTaskId } from './registry.ts';

/** Tasks that were named one by one: the ids, files and folders of `--tasks`. */
export interface TaskSource {
  readonly name: string;
  tasks(): Iterable<Task>;
}

/**
 * Reads a word of `--tasks`: a file of tasks, a folder that holds `tasks.jsonl`, or task ids separated by commas.
 * Throws an InputError (`E_TASKS`) where it is none of them, and as `parseTaskId` does.
 */
export function parseTaskSource(word: string): readonly TaskSource[] {
  if (existsSync(word)) return [fileSource(statSync(word).isDirectory() ? findTasksFile(word) : word)];
  return word.split(',').map((part) => parsePart(part.trim(), word));
}

function parsePart(part: string, word: string): TaskSource {
  if (existsSync(part)) return fileSource(statSync(part).isDirectory() ? findTasksFile(part) : part);
  if (part === '' || part.includes('/') || /\.(jsonl|json|toml)$/.test(part)) throw sourceError(word, part);
  const make = parseTaskId(part);
  return { name: part, tasks: () => [make()] };
}

function fileSource(path: string): TaskSource {
  if (path.endsWith('.toml')) throw tomlError(path);
  return { name: path, tasks: () => readTasks(path) };
}

function findTasksFile(folder: string): string {
  const path = join(folder, 'tasks.jsonl');
  if (existsSync(path)) return path;
  if (readdirSync(folder).some((name) => name.endsWith('.toml'))) throw tomlError(folder);
  throw new InputError({
    code: 'E_TASKS',
    what: 'Cannot find tasks in a folder',
    where: folder,
    expected: 'a file tasks.jsonl in it',
    found: 'none',
  });
}

function tomlError(where: string): InputError {
  return new InputError({
    code: 'E_TOML_TASKS',
    what: 'Cannot read tasks from TOML',
    where,
    expected: 'task ids or a file of JSON lines, as muxgym generate writes it',
    found: 'TOML',
    hint: 'this version reads tasks from JSON lines only',
  });
}

function sourceError(word: string, part: string): InputError {
  return new InputError({
    code: 'E_TASKS',
    what: 'Cannot find tasks',
    where: JSON.stringify(word),
    expected: 'task ids separated by commas, a file of tasks or a folder with tasks.jsonl',
    found: `${JSON.stringify(part)}, which is no task id and does not exist`,
  });
}
