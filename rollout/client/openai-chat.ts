import type OpenAI from 'openai';
import { z } from 'zod';
import type { Answer, ChatMessage, ChatRequest, ToolDefinition } from './client.ts';
import { ErrorAnswer } from './failure.ts';

/** What of a server's dialect decides the body of a request. */
export interface Dialect {
  readonly model: string;
  /** Whether the server takes and gives token ids and logprobs. */
  readonly tokenFields: boolean;
  /** How the server calls the bound of an answer; newer models of OpenAI take the second only. */
  readonly boundField: 'max_tokens' | 'max_completion_tokens';
  /** Tools that the server itself runs, sent as they are. */
  readonly serverTools: readonly Readonly<Record<string, unknown>>[];
}

/** The body of a chat request. Fields beyond the common ones go to servers that are known to take them. */
export function makeChatBody(dialect: Dialect, request: ChatRequest): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { temperature } = request;
  const tools = [...(request.tools ?? []).map(makeTool), ...dialect.serverTools];
  return {
    model: dialect.model,
    messages: request.messages.map(makeMessage),
    [dialect.boundField]: request.maxTokens,
    ...(temperature === null ? {} : { temperature }),
    ...(temperature !== null && temperature > 0 ? { seed: request.seed } : {}),
    ...(tools.length === 0 ? {} : { tools: tools as OpenAI.ChatCompletionTool[] }),
    ...(dialect.tokenFields ? { logprobs: true, return_token_ids: true } : {}),
  };
}

function makeTool({ name, description, parameters }: ToolDefinition): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

function makeMessage(message: ChatMessage): OpenAI.ChatCompletionMessageParam {
  const { role, content } = message;
  if (role === 'tool') return { role, content, tool_call_id: message.toolCallId };
  if (role !== 'assistant') return { role, content };
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role, content };
  return {
    role,
    content,
    tool_calls: calls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
  };
}

const toolCallSchema = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string().nullish() }),
});

const choiceSchema = z.looseObject({
  message: z.looseObject({ content: z.string().nullish(), tool_calls: z.array(toolCallSchema).nullish() }),
  finish_reason: z.string().nullish(),
  token_ids: z.array(z.int()).nullish(),
  logprobs: z.looseObject({ content: z.array(z.looseObject({ logprob: z.number() })).nullish() }).nullish(),
});
type Choice = z.infer<typeof choiceSchema>;

const completionSchema = z.looseObject({
  prompt_token_ids: z.array(z.int()).nullish(),
  usage: z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), cost: z.number().nullish() }).nullish(),
  choices: z.array(choiceSchema).min(1),
});

const errorSchema = z.looseObject({
  error: z.looseObject({ message: z.string(), code: z.union([z.string(), z.number()]).nullish() }),
});

/** Reads the body of a chat completion. Throws a ZodError for another form and ErrorAnswer for an error in its place. */
export function parseCompletion(body: unknown): Answer {
  rejectError(body);
  const { choices, usage, prompt_token_ids } = completionSchema.parse(body);
  const choice = choices[0];
  if (choice === undefined) throw new SyntaxError('it has no choice');
  rejectError(choice);
  if (choice.finish_reason === 'error') throw new ErrorAnswer(null, 'the server ended the answer with an error');
  const logprobs = choice.logprobs?.content?.map(({ logprob }) => logprob);
  return {
    type: 'answer',
    text: choice.message.content ?? '',
    toolCalls: readToolCalls(choice),
    finishReason: choice.finish_reason ?? 'stop',
    promptTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    ...(usage?.cost == null ? {} : { costUsd: usage.cost }),
    ...(prompt_token_ids ? { promptTokenIds: prompt_token_ids } : {}),
    ...(choice.token_ids ? { tokenIds: choice.token_ids } : {}),
    ...(logprobs ? { logprobs } : {}),
  };
}

/** Gateways put an error of the provider behind them into an answer of status 200, at the top or in the choice. */
function rejectError(value: unknown): void {
  const parsed = errorSchema.safeParse(value);
  if (!parsed.success) return;
  const { message, code } = parsed.data.error;
  throw new ErrorAnswer(typeof code === 'number' ? code : null, message);
}

/** A call without an id gets its place as one, since what it gives must name it. */
function readToolCalls({ message }: Choice): Answer['toolCalls'] {
  return (message.tool_calls ?? []).map((call, index) => ({
    id: call.id ? call.id : `call_${index}`,
    name: call.function.name,
    arguments: call.function.arguments ?? '',
  }));
}
