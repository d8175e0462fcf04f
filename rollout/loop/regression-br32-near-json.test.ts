import { expect, test } from 'vitest';
import { readToolCall } from './tool-call.ts';

/** BR-32 (genie-claw#469, openclaw#86611, OpenHands#2488): near-JSON arguments become {} or crash. */
test.each([
  ['a trailing comma', '{"command":"ls",}', 'line 1, column 17'],
  ['curly quotes', '{“command”: “ls”}', 'line 1, column 2'],
  ['a bare line feed in a string', '{"command":"ls\n-la"}', 'line 1, column 12'],
  ['fenced JSON, then prose', '```json\n{"command":"ls"}\n```\nThat lists.', 'line 1, column 1'],
  ['output cut in the middle of a string', '{"command":"rm -rf /tmp/so', 'line 1, column 12'],
  ['output cut behind a key', '{"command":', 'line 1, column 12'],
])('readToolCall() gives an error with the place and runs nothing, when there is %s', (_, text, place) => {
  const reading = readToolCall({ id: 'c', name: 'command', arguments: text });
  expect(reading).toMatchObject({ type: 'failure', reason: 'bad-json', speakable: false });
  expect(reading.type === 'failure' && reading.message).toContain(place);
});

test('readToolCall() gives exactly the command, when there are bare line feeds between the tokens', () => {
  const reading = readToolCall({ id: 'c', name: 'command', arguments: '{\n"command"\n:\n"ls -la"\n}' });
  expect(reading).toEqual({ type: 'action', action: { type: 'command', command: 'ls -la' } });
});
