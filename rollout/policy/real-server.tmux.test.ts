import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCliffTask } from '../../generator/index.ts';
import { startModelServer } from '../client/server/index.ts';
import { runEpisodes } from '../run/index.ts';
import { makePolicy } from './index.ts';

const checkpoint = process.env['MUXGYM_REAL_SERVER'];
const skipped = checkpoint === undefined ? ' (skipped: MUXGYM_REAL_SERVER names no checkpoint folder)' : '';

/** Minutes of a real, small model: transformers serve over the bundled one, whole and streamed, through each loop. */
describe.skipIf(checkpoint === undefined)(`a real server${skipped}`, { timeout: 1_200_000 }, () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof startModelServer>>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'muxgym-real-'));
    server = await startModelServer({ checkpoint: checkpoint ?? '', logFile: join(folder, 'server.log') });
  }, 600_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['script', false],
    ['text', false],
    ['text', true],
  ])('gives graded episodes in loop %s, stream %s', async (loop, stream) => {
    const run = join(folder, `${loop}-${stream}`);
    const { baseUrl, model } = server;
    const policy = makePolicy('openai', { baseUrl, model, loop, stream, maxTokens: 48 });
    const tasks = [makeCliffTask({ profile: 'fair', depth: 0, ops: 1, seed: 1 })];
    const signal = new AbortController().signal;
    const summary = await runEpisodes({ folder: run, policy, tasks, signal, onProgress: () => undefined });
    expect(summary.totals).toMatchObject({ episodes: 1, masked: 0 });
    const { turns } = JSON.parse(readFileSync(join(run, 'traces.jsonl'), 'utf8')) as { turns: { answer: string }[] };
    expect(turns[0]?.answer).not.toBe('');
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
