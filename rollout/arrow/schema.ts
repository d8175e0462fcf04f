import { type Field, Schema } from 'apache-arrow';
import { bool, count, int8List, list, long, real, real32List, struct, structOf, text } from './field.ts';

/** Raised when a column is removed or changes its meaning; new columns keep it. */
const schemaVersion = '2';

export type TableName = 'episodes' | 'steps' | 'turns' | 'events' | 'tasks';

/** What tells an episode, in each table that has rows of one. */
const identity = [text('episode'), text('task_hash'), count('sample'), count('attempt')];

/** Null for the cliff. */
const eventAxes = [
  text('kind', true),
  count('level', true),
  text('arm', true),
  count('count', true),
  text('delegation', true),
  text('category', true),
  count('tier', true),
];

/** METRICS, "One event". Ticks are null where it did not come to that. */
const eventFields = [
  text('id'),
  text('kind'),
  count('fired_tick', true),
  count('visible_tick', true),
  count('perceived_tick', true),
  text('perceived_by', true),
  bool('armed', true),
  count('polls', true),
  count('reacted_tick', true),
  count('deadline_tick', true),
  text('outcome'),
];

const checkFields = [
  text('id'),
  text('role'),
  text('event', true),
  text('value', true),
  text('note', true),
  bool('ok'),
  real('score'),
  real('weight'),
];

/** Milliseconds of real time. */
const timings = ['reset_ms', 'step_ms', 'grade_ms', 'policy_ms', 'model_ms', 'queue_ms'];

/** One row an episode: the fields of its record, under the same names. */
const episodeFields = [
  text('episode'),
  text('task'),
  text('task_hash'),
  text('suite'),
  text('pillar'),
  count('depth', true),
  count('ops', true),
  ...eventAxes,
  text('instrument', true),
  text('delivery', true),
  text('clock', true),
  real('guess', true),
  count('sample'),
  count('attempt'),
  long('seed'),
  text('split', true),
  text('policy'),
  text('model', true),
  text('trace'),
  text('outcome'),
  real('reward', true),
  bool('passed'),
  list('flags', text('item')),
  text('boundary', true),
  text('failure', true),
  list('checks', structOf(checkFields)),
  list('events', structOf(eventFields)),
  count('steps'),
  count('ticks'),
  count('wall_ticks'),
  bool('reproducible'),
  count('agent_commands', true),
  count('oracle_commands', true),
  count('failed_commands', true),
  count('format_failures'),
  count('model_turns', true),
  long('prompt_tokens', true),
  long('completion_tokens', true),
  real('cost_usd', true),
  text('truncated_by', true),
  text('sandbox'),
  text('tmux_version'),
  text('observation_hash'),
  text('observation_hash_raw'),
  long('replaced_bytes'),
  struct(
    'timings',
    timings.map((name) => real(name)),
  ),
];

/** One row a step: an action and what was seen after it. `turn` names the answer that it came from, if any. */
const stepFields = [
  ...identity,
  count('step'),
  text('action_type'),
  text('action'),
  text('observation', true),
  count('exit_code', true),
  long('cut_bytes', true),
  count('tick', true),
  count('wall_ticks', true),
  bool('action_cut', true),
  count('turn', true),
];

/** `tool_calls` is JSON, since tools differ in their arguments. */
const messageFields = [
  text('role'),
  text('content', true),
  text('tool_calls', true),
  text('tool_call_id', true),
  text('name', true),
];

const partFields = [
  text('part'),
  text('model'),
  text('text'),
  count('prompt_tokens', true),
  count('completion_tokens', true),
];

/**
 * One row an answer of a model. `completion_ids` and `logprobs` share a length, and so do `mask` and `prompt_ids` with
 * `completion_ids` after them. Token columns are null where the server gave none.
 */
const turnFields = [
  ...identity,
  count('turn'),
  count('step', true),
  list('messages', structOf(messageFields)),
  text('answer', true),
  text('tool_calls', true),
  text('finish_reason', true),
  text('format_failure', true),
  count('prompt_tokens', true),
  count('completion_tokens', true),
  real('cost_usd', true),
  list('prompt_ids', count('item'), true),
  list('completion_ids', count('item'), true),
  real32List('logprobs', true),
  int8List('mask', true),
  list('parts', structOf(partFields), true),
  real('model_ms'),
];

/** One row an event of an episode. */
const eventTableFields = [
  ...identity,
  text('task'),
  text('policy'),
  text('model', true),
  text('task_kind', true),
  ...eventAxes.slice(1),
  text('delivery', true),
  text('episode_outcome'),
  ...eventFields,
];

/** One row a task, without answers: `task` is the whole frozen task as JSON. */
const taskFields = [
  text('id'),
  text('task_hash'),
  text('suite'),
  text('pillar'),
  count('depth', true),
  count('ops', true),
  ...eventAxes,
  long('seed'),
  text('profile'),
  text('split', true),
  text('prompt'),
  text('generator'),
  text('task'),
];

const fieldsOf: Readonly<Record<TableName, readonly Field[]>> = {
  episodes: episodeFields,
  steps: stepFields,
  turns: turnFields,
  events: eventTableFields,
  tasks: taskFields,
};

/** The fixed schema of a table; empty or all-null columns keep their types, so that shards join. */
export function makeSchema(table: TableName): Schema {
  const metadata = new Map([
    ['muxgym.table', table],
    ['muxgym.schema', schemaVersion],
  ]);
  return new Schema([...fieldsOf[table]], metadata);
}
