import { z } from 'zod';
import { type Action, actionSchema } from '../../env/index.ts';
import type { Answer, ChatMessage, ToolDefinition } from '../client/index.ts';

const contentSchema = z.union([
  z.string(),
  z.null().transform(() => ''),
  z
    .array(z.looseObject({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map(({ text }) => text).join('')),
]);

const callSchema = z
  .looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) })
  .transform(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text }));

/** Messages in the form of OpenAI's chat protocol; fields beyond it are passed over. */
const messageSchema = z
  .looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: contentSchema.optional().transform((content) => content ?? ''),
    tool_calls: z.array(callSchema).nullish(),
    tool_call_id: z.string().nullish(),
  })
  .transform(({ role, content, tool_calls, tool_call_id }): ChatMessage => {
    if (role === 'tool') return { role, content, toolCallId: tool_call_id ?? '' };
    if (role === 'assistant') return tool_calls?.length ? { role, content, toolCalls: tool_calls } : { role, content };
    return { role: role === 'developer' ? 'system' : role, content };
  });

const toolSchema = z
  .looseObject({
    function: z.looseObject({
      name: z.string(),
      description: z.string().optional(),
      parameters: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .transform(
    ({ function: { name, description = '', parameters = { type: 'object', properties: {} } } }): ToolDefinition => ({
      name,
      description,
      parameters,
    }),
  );

const lineSchema = z.discriminatedUnion('type', [
  ...actionSchema.options,
  /** Asks the model of the run. */
  z.strictObject({
    type: z.literal('model'),
    messages: z.array(messageSchema).min(1),
    tools: z.array(toolSchema).default([]),
  }),
  /** Says that the last answer of the model held no valid action. */
  z.strictObject({ type: z.literal('format_failure'), reason: z.string().min(1).max(200) }),
]);

/** What a program asks for by one line. */
export type ScaffoldRequest =
  | { readonly type: 'action'; readonly action: Action }
  | { readonly type: 'model'; readonly messages: readonly ChatMessage[]; readonly tools: readonly ToolDefinition[] }
  | { readonly type: 'format_failure'; readonly reason: string }
  | { readonly type: 'invalid'; readonly message: string };

export function readScaffoldLine(line: string): ScaffoldRequest {
  const parsed = lineSchema.safeParse(parseJson(line));
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(': '));
    return { type: 'invalid', message: issues.join('; ') };
  }
  const { data } = parsed;
  if (data.type === 'model' || data.type === 'format_failure') return data;
  return { type: 'action', action: data };
}

/** Undefined for text that is no JSON, which no schema accepts. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** An answer of the model in the form of OpenAI's chat protocol. */
export function formatAnswer(answer: Answer): object {
  const { text, toolCalls, finishReason, promptTokens, completionTokens } = answer;
  return {
    content: text,
    tool_calls: toolCalls.map(({ id, name, arguments: argumentText }) => ({
      id,
      type: 'function',
      function: { name, arguments: argumentText },
    })),
    finish_reason: finishReason,
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens },
  };
}
