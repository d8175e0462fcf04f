import { hashTask, type Task, type TaskHash } from '../../env/index.ts';
import type { Assignment } from '../policy/index.ts';

/** One episode of a run, to be played. */
export interface PlannedEpisode extends Assignment {
  readonly hash: TaskHash;
}

/** Every task once, `samples` times each; all samples of a task after another, in the order of the tasks. */
export function planEpisodes(tasks: readonly Task[], samples: number): readonly PlannedEpisode[] {
  const byHash = new Map(tasks.map((task) => [hashTask(task), task]));
  return [...byHash].flatMap(([hash, task]) => {
    return Array.from({ length: samples }, (_, sample) => ({ task, sample, hash }));
  });
}

/** The key of an episode within all runs: task hash, policy (with its model) and sample. */
export function episodeKey({ hash, sample }: PlannedEpisode, policy: string, model: string | null): string {
  return `${hash.slice(0, 16)}-${model === null ? policy : `${policy}:${model}`}-${sample}`;
}
