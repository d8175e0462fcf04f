import { expect, test } from 'vitest';
import { makeMessagesBody } from './anthropic-chat.ts';

test('makeMessagesBody() sends no text of white space beside a call, which the protocol refuses', () => {
  const call = { id: 'c1', name: 'run', arguments: '{"command":"ls"}' };
  const body = makeMessagesBody('m', {
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '\n ', toolCalls: [call] },
    ],
    maxTokens: 8,
    temperature: null,
    seed: 0,
  });
  expect(body.messages[1]?.content).toEqual([{ type: 'tool_use', id: 'c1', name: 'run', input: { command: 'ls' } }]);
});
