import { type Answer, type ChatMessage, looksLikeCall, type ToolCall } from '../client/index.ts';
import { type Protocol, playConversation, type Reading } from './conversation.ts';
import type { Loop } from './loop.ts';
import { readPrompt } from './prompt.ts';
import { readToolCall, toolDefinitions } from './tool-call.ts';

/**
 * Turn by turn by native function calls. The first call of an answer is taken, the others are told that they were not.
 * An answer without a valid call is a format failure: it is told to the model, and the turn is spent.
 */
export function makeToolLoop(): Loop {
  const protocol: Protocol = { system: readPrompt('tool'), tools: toolDefinitions, read: readAnswer };
  return {
    name: 'tool',
    config: {},
    prepare: (client) => client.requireTools(),
    play: (seat, client, sampling) => playConversation(protocol, seat, client, sampling),
  };
}

function readAnswer(answer: Answer): Reading {
  const [first, ...others] = answer.toolCalls;
  if (first === undefined) return readWords(answer);
  if (answer.finishReason === 'length') {
    return failUnspoken(answer, 'cut-answer', 'the answer reached its length limit before the call ended');
  }
  const reading = readToolCall(first);
  if (reading.type === 'action') {
    return { type: 'action', action: reading.action, reply: (observed) => speak(answer, first, observed, others) };
  }
  if (!reading.speakable) return failUnspoken(answer, reading.reason, reading.message);
  const told = `Error: ${reading.message}. Nothing was run.`;
  return { type: 'failure', reason: reading.reason, messages: speak(answer, first, told, others) };
}

/** The answer as the protocol wants it back: each call with a result. Calls that cannot stand there are left out. */
function speak(answer: Answer, first: ToolCall, result: string, others: readonly ToolCall[]): readonly ChatMessage[] {
  const rest = others.filter(isSpeakable);
  return [
    { role: 'assistant', content: answer.text, toolCalls: [first, ...rest].map(fillArguments) },
    { role: 'tool', content: result, toolCallId: first.id },
    ...rest.map(({ id }): ChatMessage => ({ role: 'tool', content: notTaken, toolCallId: id })),
  ];
}

const notTaken = 'Not run: one call in a turn. Call again if you still need it.';

function isSpeakable(call: ToolCall): boolean {
  const reading = readToolCall(call);
  return reading.type === 'action' || reading.speakable;
}

/** Servers read the arguments of past calls as JSON. */
function fillArguments(call: ToolCall): ToolCall {
  return call.arguments.trim() === '' ? { ...call, arguments: '{}' } : call;
}

/** Servers fail on a past call whose arguments are no JSON, so that it goes back as words. */
function failUnspoken({ text, toolCalls }: Answer, reason: string, message: string): Reading {
  const calls = toolCalls.map((call) => `[call of ${call.name}] ${call.arguments}`);
  const messages: readonly ChatMessage[] = [
    { role: 'assistant', content: [text, ...calls].filter((part) => part !== '').join('\n') },
    { role: 'user', content: `Error: ${message}. Nothing was run. Call one of the tools again.` },
  ];
  return { type: 'failure', reason, messages };
}

function readWords({ text, finishReason }: Answer): Reading {
  const reason = looksLikeCall(text) ? 'call-as-text' : finishReason === 'length' ? 'cut-answer' : 'no-call';
  const messages: readonly ChatMessage[] = [
    { role: 'assistant', content: text.trim() === '' ? '(no answer)' : text },
    { role: 'user', content: wordsExplained[reason] },
  ];
  return { type: 'failure', reason, messages };
}

const wordsExplained = {
  'call-as-text': 'Error: the call was written as text, so nothing was run. Use the function-calling interface.',
  'cut-answer': 'Error: the answer reached its length limit before it called a tool, so nothing was run. Be brief.',
  'no-call':
    'Error: no tool was called, so nothing was run. Call one of the tools; call "done" when the task is finished.',
} as const;
