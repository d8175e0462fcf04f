import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, actionSchema, packageRoot } from '../../env/index.ts';
import type { Answer, ChatMessage, ContextOverflow, ModelClient } from '../client/index.ts';
import type { Loop, Play, Sampling, Seat } from './loop.ts';
import { parseScriptBlock } from './script-block.ts';
import type { Turn } from './turn.ts';

/**
 * One turn: the first fenced block of the answer is run as a script, then the episode is done. An answer without one is
 * a format failure: nothing is run, and the episode is graded as it stands.
 */
export function makeScriptLoop(): Loop {
  const system = readFileSync(join(packageRoot(), 'data', 'prompts', 'script.txt'), 'utf8').replace(/\n$/, '');
  return { name: 'script', play: (seat, client, sampling) => playScript(system, seat, client, sampling) };
}

async function playScript(system: string, seat: Seat, client: ModelClient, sampling: Sampling): Promise<Play> {
  const messages: readonly ChatMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: seat.prompt },
  ];
  const begin = performance.now();
  const completion = await client.complete({ ...sampling, messages, seed: seedOf(seat), signal: seat.signal });
  const asked = { messages, model_ms: performance.now() - begin };
  if (completion.type === 'context-overflow') {
    return { turns: [overflowTurn(asked, completion)], truncatedBy: 'context' };
  }
  const { action, failure } = readAction(completion);
  const step = action === null ? null : 1;
  if (action !== null) await act(seat, action);
  return { turns: [{ ...asked, ...answerFields(completion), step, format_failure: failure }], truncatedBy: null };
}

/** Neighbouring samples and tasks get other seeds; a repeat of the run gets the same ones. */
function seedOf({ task, sample }: Seat): number {
  return (task.seed + sample * 1_000_003) % 2_147_483_647;
}

function readAction(answer: Answer): { readonly action: Action | null; readonly failure: string | null } {
  const block = parseScriptBlock(answer.text);
  if (block.type === 'none') return { action: null, failure: block.reason };
  const action = actionSchema.safeParse({ type: 'script', script: block.script });
  return action.success ? { action: action.data, failure: null } : { action: null, failure: 'script-too-long' };
}

async function act({ env }: Seat, action: Action): Promise<void> {
  const step = await env.step(action);
  if (!step.terminated && step.truncated === false) await env.step({ type: 'done' });
}

type Asked = Pick<Turn, 'messages' | 'model_ms'>;

function overflowTurn(asked: Asked, { message }: ContextOverflow): Turn {
  return {
    ...asked,
    answer: null,
    finish_reason: message.slice(0, 500),
    step: null,
    format_failure: null,
    prompt_tokens: null,
    completion_tokens: null,
    prompt_ids: null,
    completion_ids: null,
    logprobs: null,
  };
}

function answerFields(answer: Answer): Omit<Turn, keyof Asked | 'step' | 'format_failure'> {
  return {
    answer: answer.text,
    finish_reason: answer.finishReason,
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
    prompt_ids: answer.promptTokenIds ?? null,
    completion_ids: answer.tokenIds ?? null,
    logprobs: answer.logprobs ?? null,
  };
}
