import { type RolloutRecord, rolloutRecordSchema } from '../record/index.ts';
import type { EventRecord } from './episode.ts';

let next = 0;

/** A record with the figures that matter to a test; every call another episode of another task. */
export function makeRecord(fields: Partial<RolloutRecord> = {}): RolloutRecord {
  next += 1;
  return rolloutRecordSchema.parse({
    ...{ schema: 1, episode: `e${next}`, task: `t${next}`, task_hash: `h${next}`, suite: 'cliff', pillar: 'cliff' },
    ...{ depth: 0, ops: 1, sample: 0, attempt: 0, seed: 0, split: null, policy: 'p', trace: 'traces.jsonl#0' },
    ...{ outcome: 'scored', reward: fields.passed === true ? 1 : 0, passed: false, flags: [], boundary: null },
    ...{ failure: null, checks: [], events: [], steps: 1, ticks: 1, wall_ticks: 0, reproducible: true },
    ...{ format_failures: 0, truncated_by: null, sandbox: 'bare', tmux_version: '3.3a', observation_hash: '' },
    ...{ observation_hash_raw: '', replaced_bytes: 0, timings: { reset_ms: 1, step_ms: 1, grade_ms: 1, policy_ms: 1 } },
    ...fields,
  });
}

const outcomes: Readonly<Record<EventRecord['outcome'], Partial<EventRecord>>> = {
  handled: { perceived_tick: 5, perceived_by: 'list-panes', armed: false, reacted_tick: 6 },
  late: { perceived_tick: 5, perceived_by: 'list-panes', armed: false, reacted_tick: 30 },
  'perceived-not-reacted': { perceived_tick: 7, perceived_by: 'observation', armed: false },
  'reacted-blind': { reacted_tick: 6 },
  'never-perceived': {},
  'left-before': { fired_tick: null, visible_tick: null },
  'not-fired': { fired_tick: null, visible_tick: null },
  void: { fired_tick: null, visible_tick: null },
};

/** One event, visible at tick 4, as its outcome has it. */
export function makeEvent(outcome: EventRecord['outcome'], fields: Partial<EventRecord> = {}): EventRecord {
  return {
    ...{ id: 'a', kind: 'bell', fired_tick: 4, visible_tick: 4, perceived_tick: null, perceived_by: null },
    ...{ armed: null, polls: 0, reacted_tick: null, deadline_tick: 20, outcome },
    ...outcomes[outcome],
    ...fields,
  };
}

/** An episode of an event task, passed when all of its events were handled. */
export function makeEventRecord(
  seed: number,
  events: readonly EventRecord[],
  fields: Partial<RolloutRecord> = {},
): RolloutRecord {
  const { arm = 'event', kind = 'bell', count = events.length } = fields;
  const task = `events-${kind}-e1-k${count}-s${seed}${arm === 'event' || arm === null ? '' : `+${arm}`}`;
  return makeRecord({
    ...{ task, task_hash: `hash of ${task}`, suite: 'events', pillar: 'B', depth: null, ops: null, seed },
    ...{ kind, level: 1, arm, count, delegation: 'solo', delivery: 'poll', clock: 'virtual' },
    passed: events.every(({ outcome }) => outcome === 'handled'),
    events: [...events],
    ...fields,
  });
}
