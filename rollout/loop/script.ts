import { type Action, actionSchema } from '../../env/index.ts';
import type { Answer, ChatMessage, ModelClient } from '../client/index.ts';
import type { Loop, Play, Sampling, Seat } from './loop.ts';
import { readPrompt } from './prompt.ts';
import { parseScriptBlock } from './script-block.ts';
import { makeSeed } from './seed.ts';
import { makeTurn } from './turn.ts';

/**
 * One turn: the first fenced block of the answer is run as a script, then the episode is done. An answer without one is
 * a format failure: nothing is run, and the episode is graded as it stands.
 */
export function makeScriptLoop(): Loop {
  const system = readPrompt('script');
  return {
    name: 'script',
    config: {},
    prepare: async () => undefined,
    play: (seat, client, sampling) => playScript(system, seat, client, sampling),
  };
}

async function playScript(system: string, seat: Seat, client: ModelClient, sampling: Sampling): Promise<Play> {
  const { task, sample, signal } = seat;
  const messages: readonly ChatMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: seat.prompt },
  ];
  const begin = performance.now();
  const seed = makeSeed({ taskSeed: task.seed, sample, turn: 0 });
  const completion = await client.complete({ ...sampling, messages, seed, signal });
  const asked = { messages, modelMs: performance.now() - begin };
  if (completion.type === 'context-overflow') {
    return { turns: [makeTurn(asked, completion, { step: null, format_failure: null })], truncatedBy: 'context' };
  }
  const { action, failure } = readAction(completion);
  if (action !== null) await act(seat, action);
  const outcome = { step: action === null ? null : 1, format_failure: failure };
  return { turns: [makeTurn(asked, completion, outcome)], truncatedBy: null };
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
