import { availableParallelism } from 'node:os';
import { createGym, type Gym, type GymOptions, type RunKey } from '../../env/index.ts';
import type { Player } from '../policy/index.ts';
import { formatTracePlace, type RolloutRecord } from '../record/index.ts';
import { addUsage, Budget, type BudgetStop, noUsage, type Usage } from './budget.ts';
import { type CpuMeter, createCpuMeter } from './cpu-meter.ts';
import { DurableLog } from './durable-log.ts';
import { type EpisodeSetting, type FinishedEpisode, playEpisode } from './episode.ts';
import type { RunFolder } from './folder.ts';
import type { PlannedEpisode } from './plan.ts';
import type { RunProgress } from './progress.ts';
import type { RunOptions } from './run-options.ts';
import { runSchedule } from './schedule.ts';
import { watchServer } from './server-watch.ts';
import { defaultSetting } from './setting.ts';
import type { Throughput } from './throughput.ts';
import { RunClock, type TimeUse } from './time-use.ts';

/** How a start went on, as far as it went. */
export interface Played {
  readonly throughput: Throughput;
  readonly time: TimeUse;
  /** The limit that ended it before all was played; null where none did. */
  readonly stoppedBy: BudgetStop | null;
}

/**
 * Plays what is not on the disk yet. A limit of tokens or cost lets the episodes that began end; the limit of time does
 * not, and they count as not played. Throws as `runEpisodes` says.
 */
export async function playRemaining(options: RunOptions, folder: RunFolder, progress: RunProgress): Promise<Played> {
  const { signal: interrupt, onProgress, policy, budget: limits = {} } = options;
  const timeout = limits.timeLimitMs === undefined ? null : AbortSignal.timeout(limits.timeLimitMs);
  const signal = timeout === null ? interrupt : AbortSignal.any([interrupt, timeout]);
  const opening = { assignments: progress.remaining, logFile: folder.paths.serverLog, signal, onProgress };
  await using player = await policy.open(opening);
  folder.recordModel(player.model);
  const runKey = folder.resolveKey(options.runKey ?? player.runKey);
  using meter = createCpuMeter();
  await using gym = await createGym(makeGymOptions(options, runKey));
  using watch = watchServer(player.baseUrl);
  const concurrency = options.maxConcurrent ?? (player.model === null ? 2 * availableParallelism() : 32);
  const clock = new RunClock(makeQueueLimits(options, concurrency));
  const budget = new Budget(limits, progress.records);
  const before = progress.records.length;
  const began = performance.now();
  const parts = { gym, player, clock, budget, signal, concurrency };
  await playAll(options, folder, progress, parts).catch((error: unknown) => {
    if (timeout?.aborted !== true || interrupt.aborted) throw error;
  });
  const wallMs = performance.now() - began;
  await gym.close();
  const complete = progress.remaining.length === 0;
  return {
    throughput: makeThroughput(progress.records.length - before, wallMs, meter),
    time: clock.read(wallMs, player.model !== null, watch.idleShare),
    stoppedBy: complete ? null : timeout?.aborted === true ? 'time-limit' : budget.reached,
  };
}

interface Parts {
  readonly gym: Gym;
  readonly player: Player;
  readonly clock: RunClock;
  readonly budget: Budget;
  readonly signal: AbortSignal;
  readonly concurrency: number;
}

async function playAll(options: RunOptions, folder: RunFolder, progress: RunProgress, parts: Parts): Promise<void> {
  const { gym, player, clock, budget, signal, concurrency } = parts;
  const { timeoutMs = null, split = null, maxAttempts = 3, setting: playing = defaultSetting, onProgress } = options;
  await using traces = await DurableLog.open(folder.paths.traces);
  await using episodes = await DurableLog.open(folder.paths.episodes);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const setting = { gym, player, clock, policy: options.policy.name, split, timeoutMs, playing, signal: either };
  const run = async (episode: PlannedEpisode) => {
    const { finished, usage } = await playWithRetries(setting, episode, { maxAttempts, onProgress, budget });
    const trace = formatTracePlace(await traces.append(JSON.stringify(finished.trace)));
    const record: RolloutRecord = { ...finished.record, ...usage, trace };
    await episodes.append(JSON.stringify(record));
    progress.add(record);
    budget.requireKnown();
  };
  const mayBegin = () => budget.reached === null;
  await runSchedule({ gym, episodes: progress.remaining, concurrency, signal, stop, mayBegin, run });
}

function makeGymOptions({ rung, minRung }: RunOptions, runKey: RunKey): GymOptions {
  return {
    runKey,
    ...(rung === undefined ? {} : { rung }),
    ...(minRung === undefined ? {} : { minRung }),
  };
}

/**
 * One call at a time an episode needs no further bound. Work on tmux is mostly CPU, so more at once only crowds, unless
 * steps follow the wall clock and mostly wait.
 */
function makeQueueLimits({ maxModelCalls, maxTmux, setting = defaultSetting }: RunOptions, concurrency: number) {
  const crowd = setting.clock === 'wall' ? concurrency : Math.max(8, 4 * availableParallelism());
  return { maxModelCalls: maxModelCalls ?? concurrency, maxTmux: maxTmux ?? Math.min(concurrency, crowd) };
}

interface RetryOptions {
  readonly maxAttempts: number;
  readonly onProgress: (line: string) => void;
  readonly budget: Budget;
}

/** Tries a spoiled episode again, up to the bound. Throws where the policy's machinery is gone: all others would fail too. */
async function playWithRetries(
  setting: EpisodeSetting,
  episode: PlannedEpisode,
  { maxAttempts, onProgress, budget }: RetryOptions,
): Promise<{ readonly finished: FinishedEpisode; readonly usage: Usage }> {
  let usage = noUsage;
  for (let attempt = 0; ; attempt += 1) {
    const finished = await playEpisode(setting, episode, attempt);
    const { retry, record, completions } = finished;
    usage = addUsage(usage, budget.spend(completions));
    if (record.outcome === 'masked')
      onProgress(`eval: ${record.episode} masked (${record.boundary}): ${record.failure}`);
    if (retry?.boundary === 'model' && !(await setting.player.isReachable())) throw retry;
    if (retry === null || attempt + 1 >= maxAttempts) return { finished, usage };
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
