import { hashTask, type Task, type TraceLine } from '../../env/index.ts';
import type { Turn } from '../loop/index.ts';
import type { RolloutRecord, TraceRecord } from '../record/index.ts';
import { makeMasks } from './mask.ts';
import type { Row } from './write.ts';

/** The row of an episode: the record's own fields. */
export function makeEpisodeRow(record: RolloutRecord): Row {
  return record;
}

/** The rows of an episode's events, in the order of its record. */
export function makeEventRows(record: RolloutRecord): readonly Row[] {
  const shared = { ...record, task_kind: record.kind, episode_outcome: record.outcome };
  return record.events.map((event) => ({ ...shared, ...event }));
}

/** The rows of an episode's steps in order; `turn` is the number of the answer that a step came from. */
export function makeStepRows(record: RolloutRecord, trace: TraceRecord): readonly Row[] {
  const turnOf = new Map(trace.turns.map(({ step }, index) => [step, index + 1]));
  const identity = identityOf(record);
  return makeStepColumns(trace.lines).map((columns) => {
    return { ...identity, ...columns, turn: turnOf.get(columns['step'] as number) };
  });
}

/** Pairs each action with the observation that followed it; an action cut off by a failure has none. */
function makeStepColumns(lines: readonly TraceLine[]): readonly Row[] {
  const rows: Record<string, unknown>[] = [];
  for (const line of lines) {
    if (line.type === 'action') {
      const { action } = line;
      rows.push({ step: rows.length + 1, action_type: action.type, action: JSON.stringify(action), tick: line.tick });
    } else if (line.type === 'observation') {
      Object.assign(rows.at(-1) ?? {}, {
        observation: line.observation.text,
        exit_code: line.observation.exitCode,
        cut_bytes: line.observation.cutBytes,
        tick: line.tick,
        wall_ticks: line.wall_ticks,
        action_cut: line.action_cut,
      });
    }
  }
  return rows;
}

/** The rows of an episode's model answers, in order. */
export function makeTurnRows(record: RolloutRecord, trace: TraceRecord): readonly Row[] {
  const identity = identityOf(record);
  const masks = makeMasks(trace.turns);
  return trace.turns.map((turn, index) => {
    return { ...identity, ...encodeJson(turn), turn: index + 1, mask: masks[index] };
  });
}

/** Calls of tools as JSON text; all else as it is. */
function encodeJson(turn: Turn): Row {
  const messages = turn.messages.map((message): Row => withCallsAsText(message));
  return { ...withCallsAsText(turn), messages };
}

function withCallsAsText(row: Row): Row {
  const calls = row['tool_calls'];
  return calls === undefined || calls === null ? row : { ...row, tool_calls: JSON.stringify(calls) };
}

/** The row of a task; `split` is the `file:name` that it was held to, or null. */
export function makeTaskRow(task: Task, split: string | null): Row {
  return { ...task, task_hash: hashTask(task), split, task: JSON.stringify(task) };
}

function identityOf({ episode, task_hash, sample, attempt }: RolloutRecord): Row {
  return { episode, task_hash, sample, attempt };
}
