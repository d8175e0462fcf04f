import { Bool, type DataType, Field, Float32, Float64, Int32, Int64, List, Schema, Struct, Utf8 } from 'apache-arrow';

/** Raised when a column is removed or changes its meaning; new columns keep it. */
const schemaVersion = '1';

export type TableName = 'episodes' | 'steps';

const text = (name: string) => new Field(name, new Utf8(), false);
const optionalText = (name: string) => new Field(name, new Utf8(), true);
const flag = (name: string) => new Field(name, new Bool(), false);
const count = (name: string) => new Field(name, new Int32(), false);
const optionalCount = (name: string) => new Field(name, new Int32(), true);
const long = (name: string) => new Field(name, new Int64(), false);
const real = (name: string, nullable = false) => new Field(name, new Float64(), nullable);
const struct = (name: string, fields: Field[]) => new Field(name, new Struct(fields), false);

function list(name: string, item: DataType, nullable = false): Field {
  return new Field(name, new List(new Field('item', item, false)), nullable);
}

const check = new Struct([
  text('id'),
  text('role'),
  optionalText('event'),
  optionalText('value'),
  optionalText('note'),
  flag('ok'),
  real('score'),
  real('weight'),
]);

const event = new Struct([
  text('id'),
  text('kind'),
  optionalCount('fired_tick'),
  optionalCount('visible_tick'),
  optionalCount('perceived_tick'),
  optionalText('perceived_by'),
  optionalCount('reacted_tick'),
  text('outcome'),
]);

const message = new Struct([text('role'), text('content')]);

/** One row an episode: the fields of its record, under the same names. */
const episodeFields = [
  text('episode'),
  text('task'),
  text('task_hash'),
  text('suite'),
  text('pillar'),
  optionalCount('depth'),
  optionalCount('ops'),
  optionalText('kind'),
  optionalText('level'),
  optionalText('arm'),
  count('sample'),
  count('attempt'),
  long('seed'),
  optionalText('split'),
  text('policy'),
  optionalText('model'),
  text('trace'),
  text('outcome'),
  real('reward', true),
  flag('passed'),
  list('flags', new Utf8()),
  optionalText('boundary'),
  optionalText('failure'),
  list('checks', check),
  list('events', event),
  count('steps'),
  count('ticks'),
  count('wall_ticks'),
  flag('reproducible'),
  count('format_failures'),
  optionalText('truncated_by'),
  text('sandbox'),
  text('tmux_version'),
  text('observation_hash'),
  text('observation_hash_raw'),
  long('replaced_bytes'),
  struct('timings', [real('reset_ms'), real('step_ms'), real('grade_ms'), real('policy_ms')]),
];

/**
 * One row a step, and one a model answer that became none. The step columns are null in the latter, the turn columns
 * are null where no model was asked. `prompt_ids` is one array; `completion_ids` and `logprobs` share a length.
 */
const stepFields = [
  text('episode'),
  text('task_hash'),
  count('sample'),
  count('attempt'),
  optionalCount('step'),
  optionalText('action_type'),
  optionalText('action'),
  optionalText('observation'),
  optionalCount('exit_code'),
  new Field('cut_bytes', new Int64(), true),
  optionalCount('tick'),
  optionalCount('wall_ticks'),
  new Field('action_cut', new Bool(), true),
  optionalCount('turn'),
  list('messages', message, true),
  optionalText('answer'),
  optionalText('finish_reason'),
  optionalText('format_failure'),
  list('prompt_ids', new Int32(), true),
  list('completion_ids', new Int32(), true),
  list('logprobs', new Float32(), true),
  real('model_ms', true),
];

const fieldsOf: Readonly<Record<TableName, readonly Field[]>> = { episodes: episodeFields, steps: stepFields };

/** The fixed schema of a table; empty or all-null columns keep their types, so that shards join. */
export function makeSchema(table: TableName): Schema {
  const metadata = new Map([
    ['muxgym.table', table],
    ['muxgym.schema', schemaVersion],
  ]);
  return new Schema([...fieldsOf[table]], metadata);
}
