import type { RolloutRecord } from '../record/index.ts';

/** A record as reports read it. */
export type Episode = RolloutRecord;

/** One event of an episode (METRICS, "One event"). Ticks are null where it did not come to that. */
export type EventRecord = Episode['events'][number];

/** Scored or flagged: the episodes that rates are made of. A flagged one counts as not passed, with reward 0. */
export function isJudged({ outcome }: Pick<RolloutRecord, 'outcome'>): boolean {
  return outcome !== 'masked';
}

/** Episodes of one cell have the same key. */
export function cellKey(episode: Episode): string {
  const { suite, pillar, depth, ops, kind, level, arm, count, delegation } = episode;
  return JSON.stringify([suite, pillar, depth, ops, kind, level, arm, count, delegation]);
}

/** The task without its arm: `events-bell-e1-k1-s7` for all three. */
export function baseTask({ task }: Pick<RolloutRecord, 'task'>): string {
  return task.replace(/\+(none|told)/, '');
}

/** The arm in which an event happens unannounced; tasks without arms are of it. */
export function isEventArm({ arm }: Pick<RolloutRecord, 'arm'>): boolean {
  return arm === null || arm === 'event';
}
