import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashTask, InputError, makeRunKey, parseRunKey, type RunKey, type Task, taskSchema } from '../../env/index.ts';
import { type RolloutRecord, readJsonLines, readRecords } from '../record/index.ts';
import { type RunConfig, readRunConfig, requireSameConfig, requireSameKey, writeRunConfig } from './config.ts';
import { lockRun, type RunLock } from './lock.ts';
import { writeFileDurably } from './write-file.ts';

/** The files of a run, below its folder. */
export interface RunPaths {
  readonly folder: string;
  readonly config: string;
  readonly tasks: string;
  readonly key: string;
  readonly episodes: string;
  readonly traces: string;
  readonly rollouts: string;
  readonly steps: string;
  readonly turns: string;
  readonly events: string;
  readonly summary: string;
  readonly report: string;
  readonly serverLog: string;
}

export function runPaths(folder: string): RunPaths {
  return {
    folder,
    config: join(folder, 'config.json'),
    tasks: join(folder, 'tasks.jsonl'),
    key: join(folder, 'run.key'),
    episodes: join(folder, 'episodes.jsonl'),
    traces: join(folder, 'traces.jsonl'),
    rollouts: join(folder, 'rollouts.arrow'),
    steps: join(folder, 'steps.arrow'),
    turns: join(folder, 'turns.arrow'),
    events: join(folder, 'events.arrow'),
    summary: join(folder, 'summary.json'),
    report: join(folder, 'report.md'),
    serverLog: join(folder, 'model-server.log'),
  };
}

export interface RunFolderOptions {
  readonly folder: string;
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  /** Start over: what another run left here is removed. */
  readonly clean: boolean;
}

/** A run folder that this process holds. */
export interface RunFolder extends Disposable {
  readonly paths: RunPaths;
  /** As recorded: the first start's. */
  readonly config: RunConfig;
  /** The episodes that are on the disk. */
  readonly finished: readonly RolloutRecord[];
  /** The recorded key, or `key`, or a new one, recorded now. Throws `E_CONFIG_CHANGED` where `key` is another. */
  resolveKey(key: RunKey | undefined): RunKey;
  /** Records the model once the server has named it; throws `E_CONFIG_CHANGED` where it is another than before. */
  recordModel(model: string | null): void;
}

/**
 * Takes a run folder: a new one is laid out, one of the same configuration is continued. Throws an InputError where
 * another process holds it (`E_RUN_LOCKED`) or the configuration differs (`E_CONFIG_CHANGED`).
 */
export async function openRunFolder(options: RunFolderOptions): Promise<RunFolder> {
  const paths = runPaths(options.folder);
  mkdirSync(paths.folder, { recursive: true });
  const lock = lockRun(paths.folder);
  try {
    return await enter(paths, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function enter(paths: RunPaths, lock: RunLock, { config, tasks, clean }: RunFolderOptions): Promise<RunFolder> {
  if (clean) removeRun(paths);
  const before = readRunConfig(paths.folder);
  const finished = existsSync(paths.episodes) ? await readRecords(paths.episodes) : [];
  if (before === null || finished.length === 0) layOut(paths, config, tasks);
  else requireSameConfig(paths.folder, before, config);
  let current = finished.length === 0 ? config : (before ?? config);
  return {
    paths,
    get config() {
      return current;
    },
    finished,
    resolveKey: (key) => resolveKey(paths, key),
    recordModel: (model) => {
      const next = { ...current, context: { ...current.context, model } };
      requireSameConfig(paths.folder, current, next);
      current = next;
      writeRunConfig(paths.folder, next);
    },
    [Symbol.dispose]: () => lock.release(),
  };
}

/**
 * A run that has no episode yet begins anew, so that a start that failed binds nobody to its flags. `config.json` comes
 * last: a folder without it holds no run.
 */
function layOut(paths: RunPaths, config: RunConfig, tasks: readonly Task[]): void {
  if (!existsSync(paths.config) && existsSync(paths.episodes)) throw foreignError(paths.episodes);
  removeRun(paths);
  writeFileDurably(paths.tasks, tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  writeRunConfig(paths.folder, config);
}

/** Removes the files of a run, and no others. */
export function removeRun({ folder: _, ...files }: RunPaths): void {
  for (const path of Object.values(files)) rmSync(path, { force: true });
}

function resolveKey(paths: RunPaths, key: RunKey | undefined): RunKey {
  const recorded = readRunKey(paths);
  if (recorded === null) {
    const fresh = key ?? makeRunKey();
    writeFileDurably(paths.key, `${fresh}\n`, 0o600);
    return fresh;
  }
  requireSameKey(paths.folder, key === undefined || key === recorded);
  return recorded;
}

/** The run key under which a run's secrets were made; null where none was recorded yet. */
export function readRunKey(paths: RunPaths): RunKey | null {
  return existsSync(paths.key) ? parseRunKey(readFileSync(paths.key, 'utf8').trim()) : null;
}

/** The tasks of a run by their hashes. */
export async function readRunTasks(paths: RunPaths): Promise<ReadonlyMap<string, Task>> {
  const tasks = new Map<string, Task>();
  for await (const { value } of readJsonLines(paths.tasks, taskSchema)) tasks.set(hashTask(value), value);
  return tasks;
}

function foreignError(path: string): InputError {
  return new InputError({
    code: 'E_CONFIG',
    what: 'Cannot start a run over records without a configuration',
    where: path,
    expected: 'config.json beside it',
    found: 'none',
    hint: 'choose another --out, or remove what is there with --clean',
  });
}
