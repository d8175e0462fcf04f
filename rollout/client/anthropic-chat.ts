import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { BoundaryError } from '../../env/index.ts';
import type { Answer, ChatMessage, ChatRequest, Completion, ToolCall } from './client.ts';

/**
 * The body of a Messages request. Newer models refuse a temperature, and the SDK names it no more; it is sent where it
 * was asked for.
 */
export function makeMessagesBody(model: string, request: ChatRequest): Anthropic.MessageCreateParamsNonStreaming {
  const { messages, temperature, tools = [] } = request;
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  return {
    model,
    max_tokens: request.maxTokens,
    messages: makeTurns(messages),
    ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
    ...(temperature === null ? {} : { temperature }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            name,
            description,
            input_schema: { ...parameters, type: 'object' as const },
          })),
          tool_choice: { type: 'auto' as const, disable_parallel_tool_use: true },
        }),
  };
}

type Block = Anthropic.TextBlockParam | Anthropic.ToolUseBlockParam | Anthropic.ToolResultBlockParam;

/** The protocol wants turns of user and assistant in alternation: what follows under one role is joined as blocks. */
function makeTurns(messages: readonly ChatMessage[]): Anthropic.MessageParam[] {
  const turns: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    const blocks = makeBlocks(message);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: blocks });
  }
  return turns;
}

function makeBlocks(message: Exclude<ChatMessage, { readonly role: 'system' }>): Block[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'text', text: message.content }];
    case 'tool':
      return [{ type: 'tool_result', tool_use_id: message.toolCallId, content: message.content }];
    case 'assistant': {
      const text: Block[] = message.content.trim() === '' ? [] : [{ type: 'text', text: message.content }];
      return [...text, ...(message.toolCalls ?? []).map(makeToolUse)];
    }
  }
}

function makeToolUse({ id, name, arguments: text }: ToolCall): Block {
  return { type: 'tool_use', id, name, input: parseInput(name, text) };
}

const inputSchema = z.record(z.string(), z.unknown());

function parseInput(name: string, text: string): Record<string, unknown> {
  try {
    return inputSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new BoundaryError('model', {
      code: 'E_MODEL_REFUSED',
      what: 'Cannot send a tool call to this protocol',
      where: name,
      expected: 'a JSON object as its arguments',
      found: JSON.stringify(text.slice(0, 200)),
      cause,
    });
  }
}

const blockSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    /** Text where it was streamed, so that nothing but JSON passes for JSON. */
    input: z.union([z.string(), z.record(z.string(), z.unknown())]),
  }),
]);

const messageSchema = z.looseObject({
  type: z.literal('message'),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
  usage: z.looseObject({
    input_tokens: z.int(),
    output_tokens: z.int(),
    cache_creation_input_tokens: z.int().nullish(),
    cache_read_input_tokens: z.int().nullish(),
  }),
});

/** Reads a message. Blocks that are neither words nor calls, such as thinking, are left out. Throws a ZodError. */
export function parseMessage(body: unknown): Completion {
  const { content, stop_reason, usage } = messageSchema.parse(body);
  if (stop_reason === 'model_context_window_exceeded') {
    return { type: 'context-overflow', message: 'the answer reached the end of the model context' };
  }
  const known = content.filter(({ type }) => type === 'text' || type === 'tool_use');
  const blocks = known.map((block) => blockSchema.parse(block));
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  return {
    type: 'answer',
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    toolCalls: blocks.flatMap((block): Answer['toolCalls'] => (block.type === 'tool_use' ? [readCall(block)] : [])),
    finishReason: finishReasons[stop_reason ?? ''] ?? stop_reason ?? 'stop',
    promptTokens: input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0),
    completionTokens: usage.output_tokens,
  };
}

/** The words of the other protocol for the same thing. */
const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
};

type ToolUse = Extract<z.infer<typeof blockSchema>, { type: 'tool_use' }>;

function readCall({ id, name, input }: ToolUse): ToolCall {
  return { id, name, arguments: typeof input === 'string' ? input : JSON.stringify(input) };
}
