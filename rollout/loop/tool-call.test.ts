import { describe, expect, test } from 'vitest';
import { readToolCall, toolDefinitions } from './tool-call.ts';

function read(name: string, text: string) {
  return readToolCall({ id: 'c', name, arguments: text });
}

describe('readToolCall()', () => {
  test.each([
    ['command', '{"command":"tmux ls"}', { type: 'command', command: 'tmux ls' }],
    ['command', '{\n  "command":\n"tmux ls"\n}\n', { type: 'command', command: 'tmux ls' }],
    ['command', '{"command":"echo \\"a\\"\\nb"}', { type: 'command', command: 'echo "a"\nb' }],
    ['keys', '{"target":"main:2","keys":["yes","Enter"]}', { type: 'keys', target: 'main:2', keys: ['yes', 'Enter'] }],
    ['wait', '{"ticks":3}', { type: 'wait', ticks: 3 }],
    ['done', '{}', { type: 'done' }],
    ['done', '', { type: 'done' }],
  ])('gives exactly the action, when %s is called with %j', (name, text, action) => {
    expect(read(name, text)).toEqual({ type: 'action', action });
  });

  test.each([
    ['command', '{"command":""}', 'empty-command'],
    ['command', '{"command":" \\n"}', 'empty-command'],
    ['command', '', 'bad-arguments'],
    ['command', '{"command":["ls"]}', 'bad-arguments'],
    ['command', '{"command":"ls","cwd":"/"}', 'bad-arguments'],
    ['command', '{"command":"ls","type":"done"}', 'bad-arguments'],
    ['command', JSON.stringify({ command: 'x'.repeat(40_000) }), 'command-too-long'],
    ['keys', '{"target":"","keys":["a"]}', 'bad-arguments'],
    ['keys', '{"target":"%1","keys":"a"}', 'bad-arguments'],
    ['wait', '{"ticks":0}', 'bad-arguments'],
    ['wait', '{"ticks":"3"}', 'bad-arguments'],
    ['bash', '{"command":"ls"}', 'unknown-tool'],
    ['toString', '{}', 'unknown-tool'],
  ])('says what is wrong, when %s is called with %j', (name, text, reason) => {
    expect(read(name, text)).toMatchObject({ type: 'failure', reason, speakable: true });
  });
});

describe('toolDefinitions', () => {
  test('hold one tool for each kind of action but the script', () => {
    expect(toolDefinitions.map(({ name }) => name)).toEqual(['command', 'keys', 'wait', 'done']);
    for (const { parameters } of toolDefinitions) {
      expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
      expect(parameters).not.toHaveProperty('$schema');
    }
  });
});
