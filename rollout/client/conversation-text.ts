import type { ChatMessage, ToolDefinition } from './client.ts';

/** A conversation as text, for a model that is to look at it and not to take part; calls and their results included. */
export function formatConversation(messages: readonly ChatMessage[], tools: readonly ToolDefinition[] = []): string {
  const parts = messages.map((message) => `<${message.role}>\n${formatContent(message)}\n</${message.role}>`);
  return [...parts, ...formatTools(tools)].join('\n');
}

/** Words and calls of an answer. */
export function formatAnswer(text: string, calls: readonly { name: string; arguments: string }[]): string {
  return [...(text === '' ? [] : [text]), ...calls.map((call) => `[call] ${call.name} ${call.arguments}`)].join('\n');
}

function formatContent(message: ChatMessage): string {
  return message.role === 'assistant' ? formatAnswer(message.content, message.toolCalls ?? []) : message.content;
}

function formatTools(tools: readonly ToolDefinition[]): readonly string[] {
  if (tools.length === 0) return [];
  const lines = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return [`<tools>\n${lines.join('\n')}\n</tools>`];
}
