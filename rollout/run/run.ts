import { availableParallelism } from 'node:os';
import { createGym, type GymOptions, InputError, type Rung, type RunKey, type Task } from '../../env/index.ts';
import type { Policy } from '../policy/index.ts';
import { formatTracePlace } from '../record/index.ts';
import { makeRunConfig } from './config.ts';
import { type CpuMeter, createCpuMeter } from './cpu-meter.ts';
import { deriveResults, type RunSummary, readThroughput, type Throughput } from './derive.ts';
import { DurableLog } from './durable-log.ts';
import { type EpisodeSetting, type FinishedEpisode, playEpisode } from './episode.ts';
import { openRunFolder, type RunFolder } from './folder.ts';
import { type PlannedEpisode, planEpisodes } from './plan.ts';
import { RunProgress } from './progress.ts';
import { runSchedule } from './schedule.ts';

export interface RunOptions {
  readonly folder: string;
  readonly policy: Policy;
  readonly tasks: readonly Task[];
  /** Times each task is played, each time with other secrets. @default 1 */
  readonly samples?: number;
  /** Episodes at a time. @default 2 x cores, or 32 for a policy that waits for a model */
  readonly maxConcurrent?: number | undefined;
  /** Real milliseconds of one episode. @default none beside the task's own limit */
  readonly timeoutMs?: number | undefined;
  /** Tries of an episode that the machinery spoils, before it is recorded as masked. @default 3 */
  readonly maxAttempts?: number;
  /** Start over in a folder that holds a run. @default false */
  readonly clean?: boolean;
  /** @default the recorded key, or a new one */
  readonly runKey?: RunKey | undefined;
  readonly rung?: Rung | undefined;
  readonly minRung?: Rung | undefined;
  /** `file:name` of the split that the tasks were held to. @default null */
  readonly split?: string | null;
  /** Flags that chose the tasks, to be kept beside the configuration. @default none */
  readonly selection?: Readonly<Record<string, string>>;
  /** Stops the run; what finished is kept. */
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/**
 * Plays a policy through all tasks, in a run folder, and derives its results. Running it again continues where it
 * stopped, however it stopped; a finished run is left as it is. An episode counts once its line is on the disk.
 * Throws an InputError for what cannot be run and a BoundaryError where the machinery does not start or the model
 * server is gone; what finished is kept then, and its results are derived. Returns after an abort, with
 * `complete: false`.
 */
export async function runEpisodes(options: RunOptions): Promise<RunSummary> {
  const { policy, tasks, samples = 1, split = null, selection = {}, timeoutMs = null } = options;
  const planned = planEpisodes(tasks, samples);
  if (planned.length === 0) throw noEpisodes();
  const config = makeRunConfig({ policy, tasks, samples, split, selection, timeoutMs });
  using folder = await openRunFolder({ folder: options.folder, config, tasks, clean: options.clean ?? false });
  const progress = new RunProgress(planned, folder.finished, options.onProgress);

  let throughput = readThroughput(folder.paths);
  let failure: { readonly error: unknown } | null = null;
  try {
    if (progress.remaining.length > 0) throughput = await playRemaining(options, folder, progress);
  } catch (error) {
    failure = { error };
  }
  const { paths } = folder;
  if (failure !== null && progress.records.length === 0 && !options.signal.aborted) throw failure.error;
  const model = typeof folder.config.context['model'] === 'string' ? folder.config.context['model'] : null;
  const complete = progress.remaining.length === 0;
  const { records } = progress;
  const summary = await deriveResults({ paths, config: folder.config, model, records, throughput, complete });
  if (failure !== null && !options.signal.aborted) throw failure.error;
  return summary;
}

function noEpisodes(): InputError {
  return new InputError({ code: 'E_TASKS', what: 'Cannot run without tasks', expected: 'at least one', found: 'none' });
}

async function playRemaining(options: RunOptions, folder: RunFolder, progress: RunProgress): Promise<Throughput> {
  const { signal, onProgress, policy } = options;
  const { paths } = folder;
  const opening = { assignments: progress.remaining, logFile: paths.serverLog, signal, onProgress };
  await using player = await policy.open(opening);
  folder.recordModel(player.model);
  const runKey = folder.resolveKey(options.runKey ?? player.runKey);
  await using traces = await DurableLog.open(paths.traces);
  await using episodes = await DurableLog.open(paths.episodes);
  using meter = createCpuMeter();
  await using gym = await createGym(makeGymOptions(options, runKey));
  const { timeoutMs = null, split = null, maxAttempts = 3, maxConcurrent } = options;
  const began = performance.now();
  let wallMs = 0;
  const before = progress.records.length;
  const stop = new AbortController();
  const setting = {
    gym,
    player,
    policy: policy.name,
    split,
    timeoutMs,
    signal: AbortSignal.any([signal, stop.signal]),
  };
  const run = async (episode: PlannedEpisode) => {
    const finished = await playWithRetries(setting, episode, { maxAttempts, onProgress });
    const trace = formatTracePlace(await traces.append(JSON.stringify(finished.trace)));
    const record = { ...finished.record, trace };
    await episodes.append(JSON.stringify(record));
    progress.add(record);
  };
  const concurrency = maxConcurrent ?? (player.model === null ? 2 * availableParallelism() : 32);
  try {
    await runSchedule({ gym, episodes: progress.remaining, concurrency, signal, stop, run });
  } finally {
    wallMs = performance.now() - began;
    await gym.close();
  }
  return makeThroughput(progress.records.length - before, wallMs, meter);
}

function makeGymOptions({ rung, minRung }: RunOptions, runKey: RunKey): GymOptions {
  return {
    runKey,
    ...(rung === undefined ? {} : { rung }),
    ...(minRung === undefined ? {} : { minRung }),
  };
}

interface RetryOptions {
  readonly maxAttempts: number;
  readonly onProgress: (line: string) => void;
}

/** Tries a spoiled episode again, up to the bound. Throws where the policy's machinery is gone: all others would fail too. */
async function playWithRetries(
  setting: EpisodeSetting,
  episode: PlannedEpisode,
  { maxAttempts, onProgress }: RetryOptions,
): Promise<FinishedEpisode> {
  for (let attempt = 0; ; attempt += 1) {
    const finished = await playEpisode(setting, episode, attempt);
    const { retry, record } = finished;
    if (record.outcome === 'masked')
      onProgress(`eval: ${record.episode} masked (${record.boundary}): ${record.failure}`);
    if (retry?.boundary === 'model' && !(await setting.player.isReachable())) throw retry;
    if (retry === null || attempt + 1 >= maxAttempts) return finished;
  }
}

function makeThroughput(episodes: number, wallMs: number, meter: CpuMeter): Throughput {
  return {
    episodes_per_s: (episodes * 1_000) / wallMs,
    cpu_ms_per_episode: episodes === 0 ? 0 : meter.read() / episodes,
    cpu_meter: meter.kind,
    wall_s: wallMs / 1_000,
  };
}
