import type { FileHandle } from 'node:fs/promises';
import { hashTask, type Task, type TaskHash } from '../../env/index.ts';
import { generatorVersion } from '../cliff/index.ts';
import { openDraft } from './draft.ts';
import { manifestPath } from './manifest.ts';

/** What was written. */
export interface WrittenTasks {
  readonly count: number;
  readonly path: string;
  readonly manifest: string;
}

export interface WriteOptions {
  /** Goes into the manifest: what the tasks were made with. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Called after each batch with the number of tasks so far. */
  readonly onProgress?: (count: number) => void;
  /** Stops before the next batch; the call then throws the signal's reason and leaves no file. */
  readonly signal?: AbortSignal;
}

/** A task as a line of a file of tasks, newline included. Equal tasks of one generator give equal bytes. */
export function formatTaskLine(task: Task): string {
  return `${JSON.stringify(task)}\n`;
}

/**
 * Writes tasks to a JSONL file and their manifest beside it; memory does not grow with the number of tasks. Both files
 * appear whole or not at all, and replace what was there. Throws an InputError (`E_FILE`) where it cannot write.
 */
export async function writeTasks(tasks: Iterable<Task>, path: string, options: WriteOptions): Promise<WrittenTasks> {
  const manifest = manifestPath(path);
  await using lines = await openDraft(path);
  await using entries = await openDraft(manifest);
  const head = { schema: 1, generator: generatorVersion, flags: options.flags };
  await entries.file.appendFile(`${JSON.stringify(head).slice(0, -1)},"tasks":[`);
  const count = await appendTasks(tasks, lines.file, entries.file, options);
  await entries.file.appendFile(`\n],"count":${count}}\n`);
  await lines.keep();
  await entries.keep();
  return { count, path, manifest };
}

const batchSize = 256;

async function appendTasks(
  tasks: Iterable<Task>,
  lines: FileHandle,
  entries: FileHandle,
  { onProgress, signal }: WriteOptions,
): Promise<number> {
  let count = 0;
  for (const batch of batchesOf(tasks)) {
    signal?.throwIfAborted();
    const hashes = batch.map(hashTask);
    await lines.appendFile(batch.map(formatTaskLine).join(''));
    await entries.appendFile(batch.map((task, index) => formatEntry(task, hashes[index], count + index)).join(''));
    count += batch.length;
    onProgress?.(count);
  }
  return count;
}

function formatEntry(task: Task, hash: TaskHash | undefined, index: number): string {
  return `${index === 0 ? '' : ','}\n${JSON.stringify({ id: task.id, hash })}`;
}

/** Tasks in groups, so that files are written in few calls. */
export function* batchesOf(tasks: Iterable<Task>): Generator<readonly Task[], void, undefined> {
  let batch: Task[] = [];
  for (const task of tasks) {
    batch.push(task);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
