import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { hashTask, InputError, type Task, taskSchema } from '../../env/index.ts';
import {
  formatTracePlace,
  type RolloutRecord,
  readJsonLines,
  readRecords,
  traceError,
  traceRecordSchema,
} from '../record/index.ts';
import { findChanges, hashTasks, type RunConfig, readRunConfig, writeRunConfig } from './config.ts';
import { deriveResults } from './derive.ts';
import { type RunPaths, readRunKey, removeRun, runPaths } from './folder.ts';
import { lockRun } from './lock.ts';
import { planEpisodes } from './plan.ts';
import type { RunSummary } from './run-summary.ts';
import { writeFileDurably } from './write-file.ts';

export interface MergeOptions {
  /** Run folders, such as the shards of one; they are only read. */
  readonly runs: readonly string[];
  readonly folder: string;
  /** Start over in a folder that holds a run. @default false */
  readonly clean?: boolean;
  readonly onProgress: (line: string) => void;
}

/**
 * Makes one run of several that differ in nothing but their tasks, with the lines and tables that they would have as
 * one. The command of the whole then continues it. Throws an InputError (`E_MERGE`) for runs that differ otherwise, for
 * an episode that two of them played, and for a folder that holds a run already.
 */
export async function mergeRuns(options: MergeOptions): Promise<RunSummary> {
  const paths = runPaths(options.folder);
  refuseItself(options);
  const sources: Source[] = [];
  for (const run of options.runs) sources.push(await readSource(run));
  const config = mergeConfigs(sources);
  refuseRepeats(sources);
  mkdirSync(paths.folder, { recursive: true });
  const lock = lockRun(paths.folder);
  try {
    if (options.clean === true) removeRun(paths);
    else if (existsSync(paths.config) || existsSync(paths.episodes)) throw takenError(paths);
    return await writeMerged({ paths, sources, config }, options.onProgress);
  } finally {
    lock.release();
  }
}

/** To start over in the folder of a part would remove what is to be read. */
function refuseItself({ runs, folder }: MergeOptions): void {
  if (!existsSync(folder)) return;
  const target = realpathSync(folder);
  const same = runs.find((run) => existsSync(run) && realpathSync(run) === target);
  if (same !== undefined) throw mergeError(folder, 'a folder that is none of the runs', same);
}

interface Source {
  readonly paths: RunPaths;
  readonly config: RunConfig;
  readonly records: readonly RolloutRecord[];
  readonly tasks: readonly Task[];
}

async function readSource(folder: string): Promise<Source> {
  const paths = runPaths(folder);
  const config = readRunConfig(folder);
  if (config === null) throw mergeError(folder, 'a run folder with config.json', 'none');
  const records = existsSync(paths.episodes) ? await readRecords(paths.episodes) : [];
  const tasks: Task[] = [];
  for await (const { value } of readJsonLines(paths.tasks, taskSchema)) tasks.push(value);
  return { paths, config, records, tasks };
}

/** Flags that chose the tasks of a part say nothing about the whole. */
const partKeys = ['shard', 'limit', 'tasks'];

function mergeConfigs(sources: readonly Source[]): RunConfig {
  const [first, ...others] = sources;
  if (first === undefined) throw mergeError('runs', 'at least one run folder', 'none');
  for (const { config, paths } of others) {
    const changes = findChanges(withoutTasks(first.config), withoutTasks(config));
    if (changes.length > 0) {
      throw mergeError(paths.folder, `the configuration of ${first.paths.folder}`, `changes of ${changes.join('; ')}`);
    }
  }
  const tasks = uniteTasks(sources);
  const model = sources.map(({ config }) => config.context['model'] ?? null).find((name) => name !== null) ?? null;
  const context = Object.entries(first.config.context).filter(([key, value]) => {
    return !partKeys.includes(key) && others.every(({ config }) => (config.context[key] ?? null) === value);
  });
  return {
    schema: 1,
    config: { ...first.config.config, task_count: tasks.length, tasks_sha256: hashTasks(tasks) },
    context: { ...Object.fromEntries(context), model },
  };
}

function withoutTasks({ schema, config, context }: RunConfig): RunConfig {
  const { task_count: _count, tasks_sha256: _hash, ...rest } = config;
  return { schema, config: rest, context };
}

/** One of each run in turn, which is the order of the whole where the runs are its shards in order. */
function uniteTasks(sources: readonly Source[]): readonly Task[] {
  const length = Math.max(...sources.map(({ tasks }) => tasks.length));
  const all = Array.from({ length }, (_, index) => sources.flatMap(({ tasks }) => tasks[index] ?? [])).flat();
  return [...new Map(all.map((task) => [hashTask(task), task])).values()];
}

function refuseRepeats(sources: readonly Source[]): void {
  const seen = new Map<string, string>();
  for (const { records, paths } of sources) {
    for (const { episode } of records) {
      const before = seen.get(episode);
      if (before !== undefined) throw mergeError(paths.folder, `no episode of ${before}`, episode);
      seen.set(episode, paths.folder);
    }
  }
}

interface Merge {
  readonly paths: RunPaths;
  readonly sources: readonly Source[];
  readonly config: RunConfig;
}

/** `config.json` comes last: a folder without it holds no run. */
async function writeMerged({ paths, sources, config }: Merge, onProgress: (line: string) => void): Promise<RunSummary> {
  const tasks = uniteTasks(sources);
  const records = await appendEpisodes(paths, sources);
  writeFileDurably(paths.tasks, tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  copyKey(paths, sources, onProgress);
  writeRunConfig(paths.folder, config);
  const planned = planEpisodes(tasks, Number(config.config['samples'] ?? 1)).length;
  onProgress(`merge: ${records.length} of ${planned} episodes from ${sources.length} runs`);
  return await deriveResults({
    ...{ paths, config, records, complete: records.length === planned },
    ...{ measured: { throughput: null, time: null }, stoppedBy: null },
  });
}

/** Copies traces and records, each record with the new place of its trace. Both files appear whole or not at all. */
async function appendEpisodes(paths: RunPaths, sources: readonly Source[]): Promise<readonly RolloutRecord[]> {
  const drafts = { traces: `${paths.traces}.tmp`, episodes: `${paths.episodes}.tmp` };
  const records: RolloutRecord[] = [];
  try {
    await using traces = await open(drafts.traces, 'w');
    await using episodes = await open(drafts.episodes, 'w');
    let offset = 0;
    for (const source of sources) {
      for await (const { record, line } of readPairs(source)) {
        records.push({ ...record, trace: formatTracePlace(offset) });
        offset += await writeLine(traces, line);
      }
    }
    for (const record of records) await writeLine(episodes, JSON.stringify(record));
    await traces.sync();
    await episodes.sync();
    renameSync(drafts.traces, paths.traces);
    renameSync(drafts.episodes, paths.episodes);
  } finally {
    for (const draft of Object.values(drafts)) rmSync(draft, { force: true });
  }
  return records;
}

/** The records of a run with their traces, in the order of the traces. Throws `E_TRACE` for a gap. */
async function* readPairs({ paths, records }: Source) {
  if (records.length === 0) return;
  const wanted = new Map(records.map((record) => [record.trace, record]));
  for await (const { value, offset } of readJsonLines(paths.traces, traceRecordSchema)) {
    const name = formatTracePlace(offset);
    const record = wanted.get(name);
    if (record === undefined) continue;
    wanted.delete(name);
    yield { record, line: JSON.stringify(value) };
  }
  const [missing] = wanted.values();
  if (missing !== undefined) throw traceError(missing, paths.traces);
}

/** Returns the bytes written. */
async function writeLine(file: FileHandle, line: string): Promise<number> {
  const bytes = Buffer.from(`${line}\n`);
  await file.appendFile(bytes);
  return bytes.length;
}

/** Replay needs the key that secrets were made with; parts under different keys are replayed in their own folders. */
function copyKey(paths: RunPaths, sources: readonly Source[], onProgress: (line: string) => void): void {
  const keys = new Set(sources.map((source) => readRunKey(source.paths)));
  const [key] = keys;
  if (keys.size > 1) onProgress('merge: the runs have different keys: replay their episodes in their own folders');
  else if (key !== null && key !== undefined) writeFileDurably(paths.key, `${key}\n`, 0o600);
}

function takenError(paths: RunPaths): InputError {
  return mergeError(
    paths.folder,
    'a folder without a run',
    'a run',
    'choose another --out, or start over with --clean',
  );
}

function mergeError(where: string, expected: string, found: string, hint?: string): InputError {
  const facts = { code: 'E_MERGE', what: 'Cannot merge runs', where, expected, found };
  return new InputError(hint === undefined ? facts : { ...facts, hint });
}
