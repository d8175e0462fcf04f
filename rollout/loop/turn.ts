import { z } from 'zod';
import type { Answer, ChatMessage, Completion, ToolCall } from '../client/index.ts';

const toolCallSchema = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });

const messageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  tool_calls: z.array(toolCallSchema).readonly().optional(),
  tool_call_id: z.string().optional(),
});
type RecordedMessage = Readonly<z.infer<typeof messageSchema>>;

const partSchema = z.strictObject({
  part: z.enum(['panel', 'judge', 'synthesizer']),
  model: z.string(),
  text: z.string(),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
});

/** One answer of a model and what became of it; lines of `traces.jsonl` carry them. */
export const turnSchema = z.object({
  /** The whole conversation that the model was given. */
  messages: z.array(messageSchema).readonly(),
  /** The words of the answer as the model wrote them; null where the conversation did not fit its context. */
  answer: z.string().nullable(),
  /** The calls that it made, each with its arguments as the model wrote them; null where it made none. */
  tool_calls: z.array(toolCallSchema).readonly().nullable().default(null),
  finish_reason: z.string().nullable(),
  /** The step (from 1) that the answer became; null where it held no valid action. */
  step: z.int().min(1).nullable(),
  /** Why the answer held no valid action, null where it did. */
  format_failure: z.string().nullable(),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  /** US dollars as the server counts them, null where it does not. */
  cost_usd: z.number().nullable().default(null),
  /** Token ids and log-probabilities as the sampler gave them, null where it gave none. */
  prompt_ids: z.array(z.int()).readonly().nullable(),
  completion_ids: z.array(z.int()).readonly().nullable(),
  logprobs: z.array(z.number()).readonly().nullable(),
  /** What several models wrote on the way to the answer; null where one model made it. */
  parts: z.array(partSchema).readonly().nullable().default(null),
  /** Real milliseconds until the answer. */
  model_ms: z.number(),
});

export type Turn = Readonly<z.infer<typeof turnSchema>>;

/** What was asked, and how long the answer took. */
export interface Asked {
  readonly messages: readonly ChatMessage[];
  readonly modelMs: number;
}

/** What became of an answer. */
export type Outcome = Pick<Turn, 'step' | 'format_failure'>;

/** The record of a turn. An overflow keeps the server's words as its finish reason. */
export function makeTurn({ messages, modelMs }: Asked, completion: Completion, outcome: Outcome): Turn {
  const asked = { messages: messages.map(recordMessage), model_ms: modelMs };
  return completion.type === 'answer'
    ? { ...asked, ...answerFields(completion), ...outcome }
    : { ...asked, ...noAnswer, finish_reason: completion.message.slice(0, 500), step: null, format_failure: null };
}

const noAnswer = {
  answer: null,
  tool_calls: null,
  prompt_tokens: null,
  completion_tokens: null,
  cost_usd: null,
  prompt_ids: null,
  completion_ids: null,
  logprobs: null,
  parts: null,
} as const;

function answerFields(answer: Answer): Omit<Turn, 'messages' | 'model_ms' | keyof Outcome> {
  const { toolCalls, parts } = answer;
  return {
    answer: answer.text,
    tool_calls: toolCalls.length === 0 ? null : toolCalls.map(recordCall),
    finish_reason: answer.finishReason,
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
    cost_usd: answer.costUsd ?? null,
    prompt_ids: answer.promptTokenIds ?? null,
    completion_ids: answer.tokenIds ?? null,
    logprobs: answer.logprobs ?? null,
    parts:
      parts?.map(({ part, model, text, promptTokens, completionTokens }) => ({
        part,
        model,
        text,
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
      })) ?? null,
  };
}

function recordMessage(message: ChatMessage): RecordedMessage {
  const { role, content } = message;
  if (role === 'tool') return { role, content, tool_call_id: message.toolCallId };
  if (role !== 'assistant' || message.toolCalls === undefined) return { role, content };
  return { role, content, tool_calls: message.toolCalls.map(recordCall) };
}

function recordCall({ id, name, arguments: text }: ToolCall): ToolCall {
  return { id, name, arguments: text };
}

/** The conversation and the answer of a recorded turn, as the client knew them. */
export function readTurn(turn: Turn): { readonly messages: readonly ChatMessage[]; readonly completion: Completion } {
  const messages = turn.messages.map(readMessage);
  if (turn.answer === null) {
    return { messages, completion: { type: 'context-overflow', message: turn.finish_reason ?? '' } };
  }
  const completion: Answer = {
    type: 'answer',
    text: turn.answer,
    toolCalls: turn.tool_calls ?? [],
    finishReason: turn.finish_reason ?? 'stop',
    promptTokens: turn.prompt_tokens,
    completionTokens: turn.completion_tokens,
    ...(turn.prompt_ids === null ? {} : { promptTokenIds: turn.prompt_ids }),
    ...(turn.completion_ids === null ? {} : { tokenIds: turn.completion_ids }),
    ...(turn.logprobs === null ? {} : { logprobs: turn.logprobs }),
  };
  return { messages, completion };
}

function readMessage({ role, content, tool_calls, tool_call_id }: RecordedMessage): ChatMessage {
  if (role === 'tool') return { role, content, toolCallId: tool_call_id ?? '' };
  if (role !== 'assistant' || tool_calls === undefined) return { role, content };
  return { role, content, toolCalls: tool_calls };
}
