import {
  type Boundary,
  BoundaryError,
  type Env,
  type EpisodeSummary,
  type Gym,
  InputError,
  type Task,
  type TraceLine,
} from '../../env/index.ts';
import type { Completion } from '../client/index.ts';
import type { Play, Seat, Turn } from '../loop/index.ts';
import type { Player } from '../policy/index.ts';
import { type RolloutRecord, rolloutRecordSchema, type TraceRecord } from '../record/index.ts';
import type { Usage } from './budget.ts';
import { episodeKey, type PlannedEpisode } from './plan.ts';
import type { PlaySetting } from './setting.ts';
import { type EpisodeUse, queueEnv, type RunClock } from './time-use.ts';

export interface EpisodeSetting {
  readonly gym: Gym;
  readonly player: Player;
  /** The policy's name. */
  readonly policy: string;
  readonly split: string | null;
  /** Real milliseconds from reset to grading, null for no limit beside the task's own. */
  readonly timeoutMs: number | null;
  readonly playing: PlaySetting;
  /** The queues that episodes share. */
  readonly clock: RunClock;
  /** Aborts when the run is to stop; the episode then counts as not played. */
  readonly signal: AbortSignal;
}

const resultSchema = rolloutRecordSchema.omit({
  trace: true,
  prompt_tokens: true,
  completion_tokens: true,
  cost_usd: true,
});

/** A record still without the place of its trace and what its answers used. */
type EpisodeResult = Omit<RolloutRecord, 'trace' | keyof Usage>;

/** A finished episode. */
export interface FinishedEpisode {
  readonly record: EpisodeResult;
  readonly trace: TraceRecord;
  /** All that the model sent, that of an attempt which broke later too. */
  readonly completions: readonly Completion[];
  /** What broke, where the episode is masked and the fault may pass. */
  readonly retry: BoundaryError | null;
}

/**
 * Plays and grades one episode. What broke comes back as a masked record. Throws the signal's reason where the run was
 * stopped, and what is neither the agent's nor the machinery's doing.
 */
export function playEpisode(
  setting: EpisodeSetting,
  planned: PlannedEpisode,
  attempt: number,
): Promise<FinishedEpisode> {
  return setting.clock.measure(async (use, before) => {
    const env = queueEnv(setting.gym.createEnv(), setting.clock.tmux, use, before);
    try {
      const completions: Completion[] = [];
      const hear = (completion: Completion) => void completions.push(completion);
      const attempted = await attemptEpisode(setting, env, planned, { use, hear });
      setting.signal.throwIfAborted();
      return { ...finish(setting, planned, attempt, { ...attempted, use }), completions };
    } finally {
      await env.close();
    }
  });
}

/** What an attempt came to. */
interface Attempted {
  readonly summary: EpisodeSummary | null;
  readonly lines: readonly TraceLine[];
  readonly turns: readonly Turn[];
  readonly playMs: number;
  readonly failure: {
    readonly boundary: Boundary;
    readonly message: string;
    readonly error: BoundaryError | null;
  } | null;
}

async function attemptEpisode(
  setting: EpisodeSetting,
  env: Env,
  { task, sample }: PlannedEpisode,
  { use, hear }: { readonly use: EpisodeUse; readonly hear: (completion: Completion) => void },
): Promise<Attempted> {
  const nothing = { summary: null, lines: [], turns: [], playMs: 0 };
  let prompt: string;
  try {
    ({
      info: { prompt },
    } = await env.reset({ task, sample, ...setting.playing }));
  } catch (error) {
    return { ...nothing, failure: toFailure(error) };
  }
  const began = performance.now();
  const timeout = setting.timeoutMs === null ? [] : [AbortSignal.timeout(setting.timeoutMs)];
  const signal = AbortSignal.any([setting.signal, ...timeout]);
  const queueCall: Seat['queueCall'] = (call) => setting.clock.calls.run(call, use.model);
  let play: Play;
  try {
    play = await setting.player.play({ env, task, prompt, sample, signal, queueCall, onCompletion: hear });
  } catch (error) {
    setting.signal.throwIfAborted();
    const failure = signal.aborted && error === signal.reason ? timeoutFailure(setting.timeoutMs) : toFailure(error);
    return { ...nothing, lines: env.trace(), playMs: performance.now() - began, failure };
  }
  const playMs = performance.now() - began;
  await env.grade(play.truncatedBy ?? undefined);
  const summary = env.summary();
  countGrading(use, summary.gradeMs);
  return { summary, lines: env.trace(), turns: play.turns, playMs, failure: gradeFailure(summary) };
}

/** A task that cannot be posed will not be next time either; broken machinery may have recovered. Others are bugs. */
function toFailure(error: unknown): Attempted['failure'] {
  if (error instanceof BoundaryError) {
    return { boundary: error.boundary, message: `${error.code}: ${error.message}`, error };
  }
  if (error instanceof InputError && error.code === 'E_TASK') {
    return { boundary: 'task', message: `${error.code}: ${error.message}`, error: null };
  }
  throw error;
}

/** The time was up while the model was asked: the server's failure, not the agent's. */
function timeoutFailure(timeoutMs: number | null): Attempted['failure'] {
  const error = new BoundaryError('model', {
    code: 'E_MODEL_TIMEOUT',
    what: 'The model did not answer within the time of the episode',
    expected: `${(timeoutMs ?? 0) / 1_000} s`,
  });
  return { boundary: 'model', message: `${error.code}: ${error.message}`, error };
}

function gradeFailure({ grade }: EpisodeSummary): Attempted['failure'] {
  if (grade.outcome !== 'masked') return null;
  const boundary = grade.boundary ?? 'grader';
  const message = grade.failure ?? 'unknown';
  return { boundary, message, error: new BoundaryError(boundary, { code: 'E_MASKED', what: message }) };
}

function finish(
  { gym, player, policy, split, playing }: EpisodeSetting,
  planned: PlannedEpisode,
  attempt: number,
  { summary, lines, turns, playMs, failure, use }: Attempted & { readonly use: EpisodeUse },
): Omit<FinishedEpisode, 'completions'> {
  const { task, sample, hash } = planned;
  const episode = episodeKey(planned, policy, player.model);
  const judged = failure === null && summary !== null ? summary.grade : null;
  const queueMs = use.model.waitMs + use.tmux.waitMs + use.grading.waitMs;
  const record = resultSchema.parse({
    schema: 1,
    episode,
    task: task.id,
    task_hash: hash,
    suite: task.suite,
    pillar: task.pillar,
    depth: task.depth,
    ops: task.ops,
    sample,
    attempt,
    seed: task.seed,
    ...taskFacts(task),
    delivery: playing.delivery,
    clock: playing.clock,
    split,
    policy,
    model: player.model,
    outcome: judged?.outcome ?? 'masked',
    reward: judged?.reward ?? null,
    passed: judged?.passed ?? false,
    flags: judged?.flags ?? [],
    boundary: failure?.boundary ?? null,
    failure: failure?.message ?? null,
    checks: judged?.checks ?? [],
    events: judged?.events ?? [],
    model_turns: turns.length,
    format_failures: turns.filter((turn) => turn.format_failure !== null).length,
    ...measured(summary, lines, gym),
    timings: {
      reset_ms: summary?.resetMs ?? 0,
      step_ms: summary?.stepMs ?? 0,
      grade_ms: summary?.gradeMs ?? 0,
      policy_ms: Math.max(0, playMs - (summary?.stepMs ?? 0) - queueMs),
      model_ms: use.model.workMs,
      queue_ms: queueMs,
    },
  });
  return { record, trace: { schema: 1, episode, attempt, lines, turns }, retry: failure?.error ?? null };
}

/** From the summary, or what is known without one. */
function measured(summary: EpisodeSummary | null, lines: readonly TraceLine[], gym: Gym) {
  return {
    steps: summary?.steps ?? lines.filter(({ type }) => type === 'action').length,
    ticks: summary?.ticks ?? lines.at(-1)?.tick ?? 0,
    wall_ticks: summary?.wallTicks ?? 0,
    reproducible: summary?.reproducible ?? false,
    truncated_by: summary?.truncatedBy ?? null,
    sandbox: summary?.rung ?? gym.rung,
    tmux_version: summary?.tmuxVersion ?? gym.tmuxVersion,
    observation_hash: summary?.observationHash ?? '',
    observation_hash_raw: summary?.observationHashRaw ?? '',
    replaced_bytes: summary?.replacedBytes ?? 0,
    agent_commands: summary?.agentCommands ?? null,
    failed_commands: summary?.failedCommands ?? null,
  };
}

/** Where the task lies among its like; null where an axis does not apply. */
function taskFacts({ axes, about, guess, instrument }: Task) {
  return {
    kind: axes?.kind ?? null,
    level: axes?.level ?? null,
    arm: axes?.arm ?? null,
    count: axes?.count ?? null,
    delegation: axes?.delegation ?? null,
    category: about?.category ?? null,
    tier: about?.tier ?? null,
    instrument: instrument ?? null,
    guess: guess ?? null,
  };
}

/** An agent that says done, or runs out of steps, is graded within its last step: that time is grading, not tmux. */
function countGrading({ tmux, grading }: EpisodeUse, gradeMs: number): void {
  const hidden = Math.min(tmux.workMs, Math.max(0, gradeMs - grading.workMs));
  tmux.workMs -= hidden;
  grading.workMs += hidden;
}
