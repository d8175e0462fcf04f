import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCliffTask } from '../../generator/index.ts';
import { type ModelServer, makeVllmCommand, startModelServer, startServer } from '../client/server/index.ts';
import type { Turn } from '../loop/index.ts';
import { runEpisodes } from '../run/index.ts';
import { makePolicy } from './index.ts';

const checkpoint = process.env['MUXGYM_REAL_SERVER'];
const kind = process.env['MUXGYM_REAL_SERVER_KIND'] === 'vllm' ? 'vllm' : 'transformers';
const skipped = checkpoint === undefined ? ' (skipped: MUXGYM_REAL_SERVER names no checkpoint folder)' : '';

/** An outside agent that asks the model of the run once and has the gym run what it says. */
const agentSource = `
import json, sys

def ask(value):
    print(json.dumps(value), flush=True)
    return json.loads(sys.stdin.readline())

messages = [{"role": "user", "content": json.loads(sys.stdin.readline())["prompt"]}]
ask({"type": "command", "command": "echo " + str(len(ask({"type": "model", "messages": messages})["answer"]["content"]))})
`;

/** Minutes of a real, small model: a real server over the bundled one, whole and streamed, through each loop and client. */
describe.skipIf(checkpoint === undefined)(`a real server, ${kind}${skipped}`, { timeout: 1_200_000 }, () => {
  let folder: string;
  let server: ModelServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'muxgym-real-'));
    writeFileSync(join(folder, 'agent.py'), agentSource);
    server = await startReal(checkpoint ?? '', join(folder, 'server.log'));
  }, 1_200_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['openai', 'script', false],
    ['openai', 'script', true],
    ['openai', 'text', false],
    ['openai', 'text', true],
    ['openai', 'scaffold', false],
    ['fusion', 'script', false],
    ['fusion', 'text', false],
    ['fusion', 'scaffold', false],
  ] as const)('gives graded episodes to client %s in loop %s, stream %s', async (client, loop, stream) => {
    const run = join(folder, `${client}-${loop}-${stream}`);
    const { baseUrl, model } = server;
    const scaffold = loop === 'scaffold' ? { scaffold: `python3 ${join(folder, 'agent.py')}` } : {};
    const preset = client === 'fusion' ? { preset: makePreset(folder, model) } : { model };
    const policy = makePolicy(client, { baseUrl, loop, stream, maxTokens: 48, ...scaffold, ...preset });
    const task = makeCliffTask({ profile: 'fair', depth: 0, ops: 1, seed: 1 });
    const tasks = [{ ...task, limits: { ...task.limits, steps: 3 } }];
    const signal = new AbortController().signal;
    const summary = await runEpisodes({ folder: run, policy, tasks, signal, onProgress: () => undefined });
    expect(summary.totals).toMatchObject({ episodes: 1, masked: 0 });
    const { turns } = JSON.parse(readFileSync(join(run, 'traces.jsonl'), 'utf8')) as {
      readonly turns: readonly Turn[];
    };
    expect(turns[0]?.answer).not.toBe('');
    expect(turns[0]?.parts?.map(({ part }) => part) ?? null).toEqual(
      client === 'fusion' ? ['panel', 'panel', 'judge', 'synthesizer'] : null,
    );
    if (kind !== 'vllm' || client === 'fusion') return;
    const sampled = turns[0]?.completion_ids?.length;
    expect(sampled).toBe(turns[0]?.completion_tokens);
    expect(turns[0]?.logprobs).toHaveLength(sampled ?? -1);
  });

  test('is found to make no tool calls, before anything is played', async () => {
    const { baseUrl, model } = server;
    const policy = makePolicy('openai', { baseUrl, model, loop: 'tool', maxTokens: 48 });
    const opening = {
      assignments: [],
      logFile: '/dev/null',
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    await expect(policy.open(opening)).rejects.toMatchObject({ code: 'E_TOOLS' });
  });
});

/** vLLM on a CPU: little memory for its cache, and nothing compiled ahead, which takes minutes. */
async function startReal(folder: string, logFile: string): Promise<ModelServer> {
  if (kind === 'transformers') return await startModelServer({ checkpoint: folder, logFile });
  const command = (port: number) => {
    const args = ['--host', '127.0.0.1', '--port', String(port), '--max-model-len', '2048', '--enforce-eager'];
    const made = makeVllmCommand(folder, args);
    return { ...made, env: { ...made.env, VLLM_CPU_KVCACHE_SPACE: '1', OMP_WAIT_POLICY: 'PASSIVE' } };
  };
  return { ...(await startServer({ command, label: kind, logFile, startMs: 1_200_000 })), model: folder };
}

/** The model on all sides of a fusion. */
function makePreset(folder: string, model: string): string {
  const member = `client = "openai"\nmodel = ${JSON.stringify(model)}\n`;
  const path = join(folder, 'preset.toml');
  writeFileSync(
    path,
    ['[[panel]]', '[[panel]]', '[judge]', '[synthesizer]'].map((head) => `${head}\n${member}`).join('\n'),
  );
  return path;
}
