import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, type Task, taskSchema } from '../../env/index.ts';
import {
  formatTracePlace,
  type RolloutRecord,
  readJsonLines,
  readRecords,
  type TraceRecord,
  traceError,
  traceRecordSchema,
} from '../record/index.ts';

/** An episode with what happened in it. */
export interface Episode {
  readonly record: RolloutRecord;
  readonly trace: TraceRecord;
}

/** What is exported: the tasks, and the episodes of a run where it is one. Each walk begins anew. */
export interface ExportSource {
  /** For titles: the run folder, or `tasks`. */
  readonly name: string;
  readonly split: string | null;
  tasks(): AsyncIterable<Task> | Iterable<Task>;
  /** Null where only tasks were given. */
  readonly run: RunSource | null;
}

export interface RunSource {
  readonly records: readonly RolloutRecord[];
  /** In the order of the traces. Throws `E_TRACE` for a record without one. */
  episodes(): AsyncIterable<Episode>;
}

/** Whether a path is a run folder. */
export function isRunFolder(path: string): boolean {
  return existsSync(join(path, 'config.json')) && existsSync(join(path, 'episodes.jsonl'));
}

/** Reads a run, finished or not. Throws an InputError (`E_RUN`) for a folder that is none. */
export async function readRunSource(folder: string): Promise<ExportSource> {
  if (!isRunFolder(folder)) {
    throw new InputError({
      code: 'E_RUN',
      what: 'Cannot export a run',
      where: folder,
      expected: 'a run folder with config.json and episodes.jsonl',
      found: 'none',
    });
  }
  const records = await readRecords(join(folder, 'episodes.jsonl'));
  return {
    name: folder,
    split: records[0]?.split ?? null,
    tasks: () => readRunTasks(join(folder, 'tasks.jsonl')),
    run: { records, episodes: () => readEpisodes(join(folder, 'traces.jsonl'), records) },
  };
}

export function makeTaskSource(tasks: Iterable<Task>, split: string | null): ExportSource {
  return { name: 'tasks', split, tasks: () => tasks, run: null };
}

async function* readRunTasks(path: string): AsyncGenerator<Task> {
  for await (const { value } of readJsonLines(path, taskSchema)) yield value;
}

async function* readEpisodes(path: string, records: readonly RolloutRecord[]): AsyncGenerator<Episode> {
  if (records.length === 0) return;
  const wanted = new Map(records.map((record) => [record.trace, record]));
  for await (const { value, offset } of readJsonLines(path, traceRecordSchema)) {
    const place = formatTracePlace(offset);
    const record = wanted.get(place);
    if (record === undefined) continue;
    wanted.delete(place);
    yield { record, trace: value };
  }
  const [missing] = wanted.values();
  if (missing !== undefined) throw traceError(missing, path);
}
