import type { EpisodeRecord, EpisodeSummary, Grade, Task, TaskHash, TraceLine } from '../../env/index.ts';

/** What is known of an episode once it is graded. */
export interface FinishedEpisode {
  /** The id it was served under. */
  readonly id: string;
  readonly task: Task;
  readonly taskHash: TaskHash;
  readonly sample: number;
  /** 0 for the first try. */
  readonly attempt: number;
  readonly grade: Grade;
  /** Null where the machinery broke before there was one. */
  readonly summary: EpisodeSummary | null;
  readonly trace: readonly TraceLine[];
}

/** Makes a grade durable; it is told to the client only after this resolves. */
export type Recorder = (episode: FinishedEpisode) => Promise<void>;

/**
 * One line of `episodes.jsonl`. The key carries the id it was served under, since the members of a group share task,
 * policy and sample. `policy_ms` is 0: a served policy runs elsewhere.
 */
export function makeServedRecord(episode: FinishedEpisode, split: string | null, trace: string): EpisodeRecord {
  const { task, taskHash, sample, attempt, grade, summary } = episode;
  return {
    schema: 1,
    episode: `${taskHash.slice(0, 16)}-served-${sample}-${episode.id}`,
    task: task.id,
    task_hash: taskHash,
    suite: task.suite,
    pillar: task.pillar,
    depth: task.depth,
    ops: task.ops,
    sample,
    attempt,
    seed: task.seed,
    split,
    policy: 'served',
    trace,
    ...gradeFields(grade),
    ...summaryFields(summary),
  };
}

function gradeFields(grade: Grade) {
  const { outcome, reward, passed, boundary, failure } = grade;
  const checks = [...grade.checks];
  return { outcome, reward, passed, flags: [...grade.flags], boundary, failure, checks, events: [...grade.events] };
}

function summaryFields(summary: EpisodeSummary | null) {
  return {
    steps: summary?.steps ?? 0,
    ticks: summary?.ticks ?? 0,
    wall_ticks: summary?.wallTicks ?? 0,
    reproducible: summary?.reproducible ?? false,
    format_failures: 0,
    truncated_by: summary?.truncatedBy ?? null,
    sandbox: summary?.rung ?? '',
    tmux_version: summary?.tmuxVersion ?? '',
    observation_hash: summary?.observationHash ?? '',
    observation_hash_raw: summary?.observationHashRaw ?? '',
    replaced_bytes: summary?.replacedBytes ?? 0,
    timings: {
      reset_ms: summary?.resetMs ?? 0,
      step_ms: summary?.stepMs ?? 0,
      grade_ms: summary?.gradeMs ?? 0,
      policy_ms: 0,
    },
  };
}
