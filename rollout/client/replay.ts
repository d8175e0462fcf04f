import { createHash } from 'node:crypto';
import { BoundaryError } from '../../env/index.ts';
import type { ChatMessage, ChatRequest, Completion, ModelClient } from './client.ts';

/** What a model once answered. */
export interface RecordedAnswer {
  readonly seed: number;
  readonly messages: readonly ChatMessage[];
  readonly completion: Completion;
}

/**
 * Gives back recorded answers: the same conversation under the same seed gets the same answer. complete() throws a
 * BoundaryError (`model`, `E_MODEL_REPLAY`) for a conversation that was not recorded.
 */
export function makeReplayClient(model: string, recorded: readonly RecordedAnswer[]): ModelClient {
  const answers = new Map(recorded.map(({ seed, messages, completion }) => [keyOf(seed, messages), completion]));
  const complete = async ({ seed, messages, signal }: ChatRequest): Promise<Completion> => {
    signal?.throwIfAborted();
    const completion = answers.get(keyOf(seed, messages));
    if (completion !== undefined) return completion;
    throw new BoundaryError('model', {
      code: 'E_MODEL_REPLAY',
      what: 'Cannot replay an answer to a conversation that was not recorded',
      where: `the ${messages.length}. message`,
      found: JSON.stringify(messages.at(-1)?.content.slice(0, 200) ?? ''),
      hint: 'replay under the same loop, tasks, samples and run key, on the same tmux',
    });
  };
  return { model, complete, requireTools: async () => undefined, isReachable: async () => true };
}

function keyOf(seed: number, messages: readonly ChatMessage[]): string {
  const parts = messages.map((message) => [
    message.role,
    message.content,
    message.role === 'assistant'
      ? (message.toolCalls ?? []).map(({ id, name, arguments: text }) => [id, name, text])
      : [],
    message.role === 'tool' ? message.toolCallId : '',
  ]);
  return createHash('sha256')
    .update(JSON.stringify([seed, parts]))
    .digest('hex');
}
