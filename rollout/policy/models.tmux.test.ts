import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeCliffTask } from '../../generator/index.ts';
import { serveWire, type Vendor, type WireScript, type WireServer } from '../client/recorded-wire.conformance.ts';
import { runEpisodes } from '../run/index.ts';
import { makePolicy } from './index.ts';
import { describePolicy } from './policy.conformance.ts';

const folder = mkdtempSync(join(tmpdir(), 'muxgym-models-'));
const servers: WireServer[] = [];
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function serve(vendor: Vendor, script: WireScript): Promise<string> {
  const server = await serveWire(vendor, script);
  servers.push(server);
  return server.baseUrl;
}

/** Looks once, then is done: what it says depends on the conversation alone. */
const looksOnce: WireScript = ({ body }) => {
  const text = JSON.stringify(body['messages']);
  if (body['tools'] !== undefined) return { type: 'answer', calls: [callFor(text)] };
  return { type: 'answer', text: text.includes('[exit code') ? 'DONE' : 'RUN: tmux list-windows; exit 1' };
};

function callFor(text: string) {
  if (text.includes('Call the tool')) return { name: 'ready', arguments: '{}' };
  if (text.includes('[exit code')) return { name: 'done', arguments: '{}' };
  return { name: 'command', arguments: '{"command":"tmux list-windows; exit 1"}' };
}

describePolicy({
  name: 'openai, loop text',
  make: async () => makePolicy('openai', { baseUrl: await serve('openai', looksOnce), loop: 'text' }),
  expected: 'fails',
});

describePolicy({
  name: 'anthropic, loop tool, streamed',
  make: async () => {
    const baseUrl = await serve('anthropic', looksOnce);
    return makePolicy('anthropic', { baseUrl, model: 'm', loop: 'tool', stream: true });
  },
  expected: 'fails',
});

describePolicy({
  name: 'fusion, loop text',
  make: async () => makePolicy('fusion', { baseUrl: await serve('openai', looksOnce), preset: 'self', loop: 'text' }),
  expected: 'fails',
});

describePolicy({
  name: 'scaffold',
  make: () => {
    const program = join(folder, 'agent.sh');
    writeFileSync(
      program,
      'read opening\necho \'{"type":"command","command":"tmux list-windows; exit 1"}\'\nread step\n',
    );
    return makePolicy('scaffold', { scaffold: `sh ${program}` });
  },
  expected: 'fails',
});

describePolicy({
  name: 'replay:RUN, loop text',
  make: async () => {
    const run = join(folder, 'run');
    const tasks = [0, 4].map((depth) => makeCliffTask({ profile: 'fair', depth, ops: 2, seed: 1 }));
    const policy = makePolicy('openai', { baseUrl: await serve('openai', looksOnce), loop: 'text' });
    const signal = new AbortController().signal;
    await runEpisodes({ folder: run, policy, tasks, signal, onProgress: () => undefined });
    return makePolicy(`replay:${run}`, { loop: 'text' });
  },
  expected: 'fails',
});

test('a run records the calls of a model, and replays its answers to the same grade', async () => {
  const run = join(folder, 'calls');
  const tasks = [makeCliffTask({ profile: 'fair', depth: 0, ops: 1, seed: 1 })];
  const policy = makePolicy('openai', { baseUrl: await serve('openrouter', looksOnce), loop: 'tool' });
  const common = { tasks, signal: new AbortController().signal, onProgress: () => undefined };
  const first = await runEpisodes({ folder: run, policy, ...common });
  expect(first.totals).toMatchObject({ episodes: 1, scored: 1, format_failures: 0 });
  const { turns } = JSON.parse(readFileSync(join(run, 'traces.jsonl'), 'utf8'));
  expect(turns).toMatchObject([
    { step: 1, cost_usd: 0.25, tool_calls: [{ name: 'command' }] },
    { step: 2, messages: [{}, {}, { role: 'assistant', tool_calls: [{}] }, { role: 'tool', tool_call_id: 'call_0' }] },
  ]);
  const again = join(folder, 'calls-again');
  await runEpisodes({ folder: again, policy: makePolicy(`replay:${run}`, { loop: 'tool' }), ...common });
  const [played, replayed] = [run, again].map((place) =>
    JSON.parse(readFileSync(join(place, 'episodes.jsonl'), 'utf8')),
  );
  expect(replayed.observation_hash).toBe(played.observation_hash);
  expect(replayed.model).toBe('m');
});

test('a run counts what an attempt used, when it broke after an answer', async () => {
  const run = join(folder, 'broke');
  const baseUrl = await serve('openrouter', (_, n) =>
    n < 2 ? { type: 'answer', text: 'RUN: true' } : { type: 'refusal', status: 400, message: 'it is broken' },
  );
  const policy = makePolicy('openai', { baseUrl, loop: 'text' });
  const tasks = [0, 1].map((seed) => makeCliffTask({ profile: 'fair', depth: 0, ops: 1, seed }));
  const common = { tasks, signal: new AbortController().signal, onProgress: () => undefined, maxAttempts: 1 };
  const summary = await runEpisodes({ folder: run, policy, ...common, maxConcurrent: 1, budget: { maxTokens: 5 } });
  expect(summary).toMatchObject({ stopped_by: 'max-tokens', usage: { prompt_tokens: 3, completion_tokens: 2 } });
  const record = JSON.parse(readFileSync(join(run, 'episodes.jsonl'), 'utf8'));
  expect(record).toMatchObject({ outcome: 'masked', boundary: 'model', cost_usd: 0.25, completion_tokens: 2 });
});

test('a run keeps no key of the model server, whatever the server does', async () => {
  process.env['MUXGYM_TEST_KEY'] = 'sk-very-secret-key';
  const run = join(folder, 'secret');
  const baseUrl = await serve('anthropic', (_, n) =>
    n === 0
      ? { type: 'answer', text: 'hello' }
      : { type: 'refusal', status: 400, message: 'the key sk-very-secret-key is not good' },
  );
  const policy = makePolicy('anthropic', { baseUrl, model: 'm', apiKeyEnv: 'MUXGYM_TEST_KEY', loop: 'text' });
  const tasks = [makeCliffTask({ profile: 'fair', depth: 0, ops: 1, seed: 1 })];
  const said: string[] = [];
  const onProgress = (line: string) => void said.push(line);
  const signal = new AbortController().signal;
  const summary = await runEpisodes({ folder: run, policy, tasks, maxAttempts: 1, signal, onProgress });
  delete process.env['MUXGYM_TEST_KEY'];
  expect(summary.totals.masked).toBe(1);
  const kept = ['config.json', 'episodes.jsonl', 'traces.jsonl'].map((name) => readFileSync(join(run, name), 'utf8'));
  expect([...kept, ...said].join('\n')).not.toContain('very-secret');
  expect(kept[1]).toContain('"boundary":"model"');
});
