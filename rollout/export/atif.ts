import type { Action, TraceLine } from '../../env/index.ts';
import { type Turn, toolDefinitions } from '../loop/index.ts';
import type { Episode } from './export-source.ts';

const atifVersion = 'ATIF-v1.7';

/** A value of JSON whose absent parts are left out. */
type Json = Readonly<Record<string, unknown>>;

/** What the exporter says of itself in each trajectory. */
export interface AtifOrigin {
  readonly version: string;
  /** Of the run. */
  readonly session: string;
}

/**
 * An episode as a trajectory of the Agent Trajectory Interchange Format: what the agent was told, one agent step for
 * each answer of a model (for each action of a scripted policy), what it saw, and the grade beside. Events of the
 * episode are no steps of the format; they stand in `extra`.
 */
export function makeAtif({ record, trace }: Episode, prompt: string, { version, session }: AtifOrigin): Json {
  const acts = pairActions(trace.lines);
  const told =
    trace.turns[0]?.messages.filter(({ role }) => role === 'system' || role === 'user').slice(0, 2) ??
    ([{ role: 'user', content: prompt }] as const);
  const agent = trace.turns.length > 0 ? trace.turns.map((turn) => fromTurn(turn, acts)) : acts.map(fromAction);
  const steps = [...told.map(({ role, content }) => ({ source: role, message: content })), ...agent];
  const usesTools = trace.turns.some(({ tool_calls }) => tool_calls !== null);
  return {
    schema_version: atifVersion,
    session_id: session,
    trajectory_id: record.episode,
    agent: {
      name: `muxgym-${record.policy}`,
      version,
      ...(record.model === null ? {} : { model_name: record.model }),
      ...(usesTools ? { tool_definitions: toolDefinitions.map((tool) => ({ type: 'function', function: tool })) } : {}),
    },
    steps: steps.map((step, index) => ({ step_id: index + 1, ...step })),
    final_metrics: withoutNulls({
      total_prompt_tokens: record.prompt_tokens,
      total_completion_tokens: record.completion_tokens,
      total_cost_usd: record.cost_usd,
      total_steps: steps.length,
    }),
    extra: withoutNulls({
      task: record.task,
      task_hash: record.task_hash,
      sample: record.sample,
      seed: record.seed,
      split: record.split,
      outcome: record.outcome,
      reward: record.reward,
      passed: record.passed,
      flags: record.flags,
      truncated_by: record.truncated_by,
      ticks: record.ticks,
      checks: record.checks,
      events: record.events,
    }),
  };
}

/** An action and what was seen after it. */
interface Act {
  /** From 1, as turns name it. */
  readonly step: number;
  readonly action: Action;
  readonly tick: number;
  readonly seen: Extract<TraceLine, { type: 'observation' }> | null;
}

function pairActions(lines: readonly TraceLine[]): readonly Act[] {
  return lines.flatMap((line, index) => {
    if (line.type !== 'action') return [];
    const rest = lines.slice(index + 1);
    const next = rest.findIndex(({ type }) => type === 'action');
    const seen = rest.slice(0, next === -1 ? rest.length : next).find(({ type }) => type === 'observation');
    const step = lines.slice(0, index + 1).filter(({ type }) => type === 'action').length;
    return [{ step, action: line.action, tick: line.tick, seen: seen?.type === 'observation' ? seen : null }];
  });
}

function fromAction(act: Act): Json {
  return { source: 'agent', message: '', ...callOf(act), llm_call_count: 0, extra: { tick: act.tick } };
}

/** An answer that became no action has no call; why stands in `extra`. */
function fromTurn(turn: Turn, acts: readonly Act[]): Json {
  const act = acts.find(({ step }) => step === turn.step);
  return {
    source: 'agent',
    message: turn.answer ?? '',
    ...(act === undefined ? {} : callOf(act)),
    metrics: withoutNulls({
      prompt_tokens: turn.prompt_tokens,
      completion_tokens: turn.completion_tokens,
      cost_usd: turn.cost_usd,
      prompt_token_ids: turn.prompt_ids,
      completion_token_ids: turn.completion_ids,
      logprobs: turn.logprobs,
    }),
    llm_call_count: turn.parts === null ? 1 : turn.parts.length,
    extra: withoutNulls({
      tick: act?.tick ?? null,
      finish_reason: turn.finish_reason,
      format_failure: turn.format_failure,
      model_ms: turn.model_ms,
    }),
  };
}

function callOf({ step, action, seen }: Act): Json {
  const { type, ...args } = action;
  const id = `step-${step}`;
  const observation =
    seen === null
      ? {}
      : {
          observation: {
            results: [{ source_call_id: id, content: seen.observation.text }],
          },
        };
  return { tool_calls: [{ tool_call_id: id, function_name: type, arguments: args }], ...observation };
}

function withoutNulls(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}
