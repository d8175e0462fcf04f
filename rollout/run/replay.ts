import { existsSync } from 'node:fs';
import pLimit from 'p-limit';
import {
  type Action,
  createGym,
  type Env,
  type Gym,
  InputError,
  type RunKey,
  rungs,
  type Task,
  type TraceLine,
} from '../../env/index.ts';
import { type RolloutRecord, readRecords, readTrace } from '../record/index.ts';
import { type RunPaths, readRunKey, readRunTasks, runPaths } from './folder.ts';

export interface ReplayResult {
  readonly episode: string;
  readonly task: string;
  /** The observation hashes agree. */
  readonly same: boolean;
  readonly recorded_hash: string;
  readonly replayed_hash: string;
  /** Bytes of all observations of the replay. */
  readonly seen_bytes: number;
  /** The first step that differs, from 1; null where none does by its text and exit code. */
  readonly first_difference: StepDifference | null;
}

export interface StepDifference {
  readonly step: number;
  readonly action: Action | null;
  readonly recorded: ObservationLine | null;
  readonly replayed: ObservationLine | null;
}

type ObservationLine = Extract<TraceLine, { type: 'observation' }>['observation'];

/** What a replay of many episodes came to. */
export interface ReplaySummary {
  readonly run: string;
  readonly episodes: number;
  readonly same: number;
  /** Of the bytes that were seen, the share that placeholders stand for; in [0, 1]. */
  readonly replaced_share: number;
  /** Episodes that cannot repeat by their own record: they computed for long, or ran on the wall clock. */
  readonly not_reproducible: number;
  /** Those whose hashes differ, though their record says that they repeat. */
  readonly different: readonly ReplayResult[];
}

/**
 * Replays every judged episode of a run, a few at a time. Throws as `replayEpisode` does. `onProgress` is told of each.
 */
export async function replayRun(
  folder: string,
  { concurrency, onProgress }: { readonly concurrency: number; readonly onProgress: (line: string) => void },
): Promise<ReplaySummary> {
  const run = await openRun(folder);
  const records = run.records.filter(({ outcome }) => outcome !== 'masked');
  const repeatable = records.filter(({ reproducible }) => reproducible);
  const limit = pLimit(concurrency);
  await using gyms = new Gyms(run);
  let done = 0;
  const results = await Promise.all(
    repeatable.map((record) =>
      limit(async () => {
        const result = await replayRecord(run, record, gyms);
        done += 1;
        onProgress(`replay: ${done}/${repeatable.length} ${record.task} ${result.same ? 'same' : 'DIFFERENT'}`);
        return result;
      }),
    ),
  );
  const seen = results.reduce((sum, { seen_bytes }) => sum + seen_bytes, 0);
  const replaced = repeatable.reduce((sum, { replaced_bytes }) => sum + replaced_bytes, 0);
  const different = results.filter(({ same }) => !same);
  return {
    run: folder,
    episodes: records.length,
    same: results.length - different.length,
    replaced_share: seen === 0 ? 0 : replaced / seen,
    not_reproducible: records.length - repeatable.length,
    different,
  };
}

/**
 * Takes an episode's recorded actions again, in a fresh world under the recorded run key and on the recorded rung, and
 * compares what was seen. Throws an InputError (`E_EPISODE`, `E_REPLAY`) for an episode that the run does not hold or
 * that was masked.
 */
export async function replayEpisode(folder: string, episode: string): Promise<ReplayResult> {
  const run = await openRun(folder);
  const record = findRecord(run.records, episode, run.paths.episodes);
  await using gyms = new Gyms(run);
  return await replayRecord(run, record, gyms);
}

/** What a replay needs of a run, read once. */
interface RecordedRun {
  readonly paths: RunPaths;
  readonly records: readonly RolloutRecord[];
  readonly tasks: ReadonlyMap<string, Task>;
  readonly runKey: RunKey;
}

async function openRun(folder: string): Promise<RecordedRun> {
  const paths = runPaths(folder);
  if (!existsSync(paths.episodes)) throw replayError('E_EPISODE', folder, 'a run folder with episodes.jsonl', 'none');
  const runKey = readRunKey(paths);
  if (runKey === null) throw replayError('E_REPLAY', paths.key, 'the recorded run key', 'none');
  return { paths, records: await readRecords(paths.episodes), tasks: await readRunTasks(paths), runKey };
}

/** One gym for each rung that the episodes were played on. */
class Gyms implements AsyncDisposable {
  readonly #run: RecordedRun;
  readonly #gyms = new Map<string, Promise<Gym>>();

  constructor(run: RecordedRun) {
    this.#run = run;
  }

  get({ sandbox }: RolloutRecord): Promise<Gym> {
    const { paths, runKey } = this.#run;
    const rung = rungs.find((name) => name === sandbox);
    if (rung === undefined) throw replayError('E_REPLAY', paths.episodes, `a rung of ${rungs.join(', ')}`, sandbox);
    const gym = this.#gyms.get(rung) ?? createGym({ runKey, rung });
    this.#gyms.set(rung, gym);
    return gym;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const gym of await Promise.allSettled(this.#gyms.values())) {
      if (gym.status === 'fulfilled') await gym.value.close();
    }
  }
}

async function replayRecord({ paths, tasks }: RecordedRun, record: RolloutRecord, gyms: Gyms): Promise<ReplayResult> {
  const trace = await readTrace(paths.episodes, record);
  const task = tasks.get(record.task_hash);
  if (task === undefined) throw replayError('E_TASK', paths.tasks, `a task with hash ${record.task_hash}`, 'none');
  const gym = await gyms.get(record);
  await using env = gym.createEnv();
  const { delivery, clock } = record;
  const setting = { ...(delivery === null ? {} : { delivery }), ...(clock === null ? {} : { clock }) };
  await env.reset({ task, sample: record.sample, ...setting });
  await takeActions(env, trace.lines);
  await env.grade(record.truncated_by === 'context' ? 'context' : undefined);
  const { observationHash } = env.summary();
  return {
    episode: record.episode,
    task: record.task,
    same: observationHash === record.observation_hash,
    recorded_hash: record.observation_hash,
    replayed_hash: observationHash,
    seen_bytes: countBytes(env.trace()),
    first_difference: observationHash === record.observation_hash ? null : findDifference(trace.lines, env.trace()),
  };
}

function findRecord(records: readonly RolloutRecord[], episode: string, where: string): RolloutRecord {
  const record = records.find((candidate) => candidate.episode === episode);
  if (record === undefined) {
    const known = records.slice(0, 3).map((candidate) => candidate.episode);
    throw replayError('E_EPISODE', where, `one of ${records.length} episodes, such as ${known.join(', ')}`, episode);
  }
  if (record.outcome === 'masked') throw replayError('E_REPLAY', where, 'an episode that was judged', 'a masked one');
  return record;
}

function replayError(code: string, where: string, expected: string, found: string): InputError {
  return new InputError({ code, what: 'Cannot replay an episode', where, expected, found });
}

async function takeActions(env: Env, lines: readonly TraceLine[]): Promise<void> {
  for (const line of lines) {
    if (line.type !== 'action') continue;
    const step = await env.step(line.action);
    if (step.terminated || step.truncated !== false) return;
  }
}

function countBytes(lines: readonly TraceLine[]): number {
  return lines.reduce(
    (sum, line) => sum + (line.type === 'observation' ? Buffer.byteLength(line.observation.text) : 0),
    0,
  );
}

function findDifference(recorded: readonly TraceLine[], replayed: readonly TraceLine[]): StepDifference | null {
  const before = listSteps(recorded);
  const after = listSteps(replayed);
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    const [old, fresh] = [before[index], after[index]];
    if (JSON.stringify(old?.observation ?? null) === JSON.stringify(fresh?.observation ?? null)) continue;
    return {
      step: index + 1,
      action: old?.action ?? fresh?.action ?? null,
      recorded: old?.observation ?? null,
      replayed: fresh?.observation ?? null,
    };
  }
  return null;
}

function listSteps(lines: readonly TraceLine[]): readonly { action: Action; observation: ObservationLine | null }[] {
  const steps: { action: Action; observation: ObservationLine | null }[] = [];
  for (const line of lines) {
    if (line.type === 'action') steps.push({ action: line.action, observation: null });
    const last = steps.at(-1);
    if (line.type === 'observation' && last !== undefined) last.observation = line.observation;
  }
  return steps;
}
