import { expect, test } from 'vitest';
import { turnSchema } from '../loop/index.ts';
import { makeRecord } from '../report/record.test-double.ts';
import { makeSftRow } from './sft.ts';

test('makeSftRow() tells the first call alone and no arguments as {}, when an answer held several', () => {
  const calls = [
    { id: 'a', name: 'done', arguments: ' ' },
    { id: 'b', name: 'command', arguments: '{"command": "ls' },
  ];
  const turn = turnSchema.parse({
    ...{ messages: [{ role: 'user', content: 'q' }], answer: '', tool_calls: calls, finish_reason: 'tool_calls' },
    ...{ step: 1, format_failure: null, prompt_tokens: null, completion_tokens: null, prompt_ids: null },
    ...{ completion_ids: null, logprobs: null, model_ms: 1 },
  });
  const record = makeRecord({ passed: true, model: 'm' });
  const trace = { schema: 1, episode: record.episode, attempt: 0, lines: [], turns: [turn] } as const;
  const row = makeSftRow({ record, trace }, 'q', 1);
  expect(row?.messages.at(-1)).toEqual({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'done', arguments: {} } }],
  });
});
