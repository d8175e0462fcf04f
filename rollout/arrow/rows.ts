import type { TraceLine } from '../../env/index.ts';
import type { Turn } from '../loop/index.ts';
import type { RolloutRecord, TraceRecord } from '../record/index.ts';
import type { Row } from './write.ts';

/** The row of an episode: the record's own fields. */
export function makeEpisodeRow(record: RolloutRecord): Row {
  return record;
}

/** The rows of an episode's steps in order, each with the answer that it came from; then the answers without a step. */
export function makeStepRows(record: RolloutRecord, trace: TraceRecord): readonly Row[] {
  const { episode, task_hash, sample, attempt } = record;
  const identity = { episode, task_hash, sample, attempt };
  const turns = trace.turns.map((turn, index) => ({ turn, row: makeTurnColumns(turn, index + 1) }));
  const steps = makeStepColumns(trace.lines).map((columns) => {
    const turn = turns.find((entry) => entry.turn.step === columns['step']);
    return { ...identity, ...columns, ...turn?.row };
  });
  const unused = turns.filter(({ turn }) => turn.step === null).map(({ row }) => ({ ...identity, ...row }));
  return [...steps, ...unused];
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

function makeTurnColumns(turn: Turn, number: number): Row {
  const { messages, answer, finish_reason, format_failure, prompt_ids, completion_ids, logprobs, model_ms } = turn;
  return {
    turn: number,
    messages,
    answer,
    finish_reason,
    format_failure,
    prompt_ids,
    completion_ids,
    logprobs,
    model_ms,
  };
}
