import { hashTask, InputError, type Task, taskSchema } from '../../env/index.ts';
import { parseJsonLine } from './json-line.ts';
import { readLines } from './lines.ts';
import { type Manifest, manifestPath, readManifest } from './manifest.ts';

/**
 * The tasks of a JSONL file, one at a time, each checked against the schema and against the manifest that lies beside
 * the file, if one does. Throws an InputError with file and line: `E_JSON` for a torn line, `E_TASK` with the field,
 * `E_HASH` where the content is not what the manifest froze, `E_COUNT` where tasks are missing or too many.
 */
export function* readTasks(path: string): Generator<Task, void, undefined> {
  const manifest = readManifest(path);
  let count = 0;
  for (const line of readLines(path)) {
    if (line.text.trim() === '') continue;
    const where = `${path}:${line.number}`;
    const task = parseTask(parseJsonLine(line, path), where);
    if (manifest !== null) validateEntry(task, manifest, count, where);
    count += 1;
    yield task;
  }
  if (manifest !== null && count !== manifest.count) throw countError(path, manifest.count, count);
}

/** Checks a value against the schema of tasks. Throws an InputError (`E_TASK`) that names the field. */
export function parseTask(value: unknown, where: string): Task {
  const result = taskSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new InputError({
    code: 'E_TASK',
    what: 'Cannot read a task',
    where: `${where}: ${issue?.path.join('.') || 'top level'}`,
    expected: 'a task as the schema says',
    found: issue?.message ?? 'something else',
    cause: result.error,
  });
}

function validateEntry(task: Task, manifest: Manifest, index: number, where: string): void {
  const entry = manifest.tasks[index];
  if (entry === undefined) throw countError(where, manifest.count, index + 1);
  const hash = hashTask(task);
  if (entry.id === task.id && entry.hash === hash) return;
  throw new InputError({
    code: 'E_HASH',
    what: `Cannot use task ${task.id} as frozen: it is not what the manifest holds`,
    where,
    expected: `${entry.id} with hash ${entry.hash}`,
    found: `${task.id} with hash ${hash}`,
    hint: `the manifest is ${manifestPath(where.replace(/:\d+$/, ''))}`,
  });
}

function countError(where: string, expected: number, found: number): InputError {
  return new InputError({
    code: 'E_COUNT',
    what: 'Cannot use a file of tasks: its manifest holds another number of tasks',
    where,
    expected: `${expected} tasks`,
    found: `${found}`,
    hint: 'the file was cut or edited; make it again',
  });
}
