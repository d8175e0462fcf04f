import { type Episode, isEventArm, isJudged } from '../episode.ts';
import { isMissed, listDueEvents } from '../event-figures.ts';
import { countWhere } from '../group.ts';
import type { StudyRecord } from './study-record.ts';

/** One run of one subject on one task: what the published tables are made of, from the study's records or from ours. */
export interface Trial {
  /** The model, or the policy where there is none. */
  readonly subject: string;
  readonly pillar: string;
  readonly depth: number | null;
  readonly ops: number | null;
  /** The same for all subjects. */
  readonly task: string;
  readonly passed: boolean;
  /** The share of the run's events that it missed; null where it has none. */
  readonly missed: number | null;
}

/** Runs that ended in the study's own errors are left out, as masked ones are of ours. */
export function toStudyTrials(records: readonly StudyRecord[]): readonly Trial[] {
  return records.filter(({ error }) => error === null).map(toStudyTrial);
}

function toStudyTrial(record: StudyRecord): Trial {
  const { model: subject, passed, seed } = record;
  if ('depth' in record) {
    const { depth, n: ops } = record;
    return { subject, pillar: 'cliff', depth, ops, task: `d${depth}-n${ops}-s${seed}`, passed, missed: null };
  }
  const pillar = record.category.slice(0, 1);
  const task = `${record.task}-s${seed}`;
  return { subject, pillar, depth: null, ops: null, task, passed, missed: record.missed_event_rate };
}

/** Judged episodes in which events happen unannounced. */
export function toTrials(episodes: readonly Episode[]): readonly Trial[] {
  return episodes.filter((episode) => isJudged(episode) && isEventArm(episode)).map(toTrial);
}

function toTrial(episode: Episode): Trial {
  const { model, policy, pillar, depth, ops, task_hash, passed } = episode;
  const due = listDueEvents([episode]);
  const missed = due.length === 0 ? null : countWhere(due, isMissed) / due.length;
  return { subject: model ?? policy, pillar, depth, ops, task: task_hash, passed, missed };
}
