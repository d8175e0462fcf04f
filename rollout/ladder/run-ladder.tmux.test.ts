import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { packageRoot } from '../../env/index.ts';
import { formatText } from '../report/index.ts';
import { type Ladder, type LadderEntry, type LadderOptions, makeLadderTable, runLadder } from './index.ts';

// Servers are a double of a model server (model-double.mjs): real processes without a model.
const double = join(packageRoot(), 'rollout', 'ladder', 'model-double.mjs');

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-ladder-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const entryOf = (name: string, ...args: readonly string[]): LadderEntry => ({
  ...{ name, model: name, server: 'command', max_concurrent: 2 },
  command: [process.execPath, double, '--port', '{port}', '--name', '{name}', ...args],
});

const sweep = { samples: 1, loop: 'script', temperature: 0, answer_tokens: 64 };

function ladderOf(models: readonly LadderEntry[], changes: Partial<Ladder> = {}): Ladder {
  const sweeps = [{ ...sweep, name: 'cliff', suite: 'cliff', depths: 'D0', ops: '1', seeds: '0-1' }];
  return { prefetch: false, sweeps, models, ...changes };
}

function climb(ladder: Ladder, changes: Partial<LadderOptions> = {}) {
  const onProgress = (line: string) => void lines.push(line);
  return runLadder({ ladder, folder, signal: new AbortController().signal, onProgress, ...changes });
}

const startsOf = (name: string) => lines.filter((line) => line.startsWith(`${name}: model server: starting command`));
/** Processes of this test's doubles. */
const listDoubles = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${double}\0--port`);
    } catch {
      return false; // ended meanwhile
    }
  });

async function readPort(output: Readable): Promise<string> {
  const [chunk] = await once(output, 'data');
  return /on port (\d+)/.exec(String(chunk))?.[1] ?? '';
}

describe('runLadder()', () => {
  test('serves each model in turn, skips one that fails with the tail of its log, and leaves no process', async () => {
    const models = [entryOf('right'), entryOf('broken', '--fail'), entryOf('bad', '--wrong')];
    const summary = await climb(ladderOf(models));
    expect(summary.complete).toBe(false);
    expect(summary.rows.map(({ name, status }) => [name, status])).toEqual([
      ['right', 'done'],
      ['broken', 'skipped'],
      ['bad', 'done'],
    ]);
    expect(summary.rows.map(({ sweeps }) => sweeps['cliff']?.totals.pass_rate ?? null)).toEqual([1, null, 0]);
    expect(summary.rows[1]?.failure).toMatchObject({
      code: 'E_MODEL_SERVER',
      log_tail: expect.arrayContaining(['RuntimeError: the double cannot load its weights']),
    });
    const table = formatText(makeLadderTable(summary));
    expect(table).toMatch(/^right +done +1\.00 \[/m);
    expect(table).toMatch(/^broken +skipped +-/m);
    expect(readFileSync(summary.report, 'utf8')).toContain('the double cannot load its weights');
    expect(JSON.parse(readFileSync(join(folder, 'ladder.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(summary)));
    expect(listDoubles()).toEqual([]);
  });

  test('starts no server for what is finished, and tries again what failed, when it is run again', async () => {
    await climb(ladderOf([entryOf('right'), entryOf('broken', '--fail')]));
    lines = [];
    const mended = await climb(ladderOf([entryOf('right'), entryOf('broken')]));
    expect(mended.complete).toBe(true);
    expect(startsOf('right')).toEqual([]);
    expect(startsOf('broken')).toHaveLength(1);
    lines = [];
    expect(await climb(ladderOf([entryOf('right'), entryOf('broken')]))).toEqual(mended);
    expect(startsOf('broken')).toEqual([]);
  });

  test('goes on in the middle of a model, when it was interrupted there', async () => {
    const controller = new AbortController();
    const sweeps = [{ ...sweep, name: 'cliff', suite: 'cliff', depths: 'D0', ops: '1', seeds: '0-9' }];
    const ladder = ladderOf([{ ...entryOf('right'), max_concurrent: 1 }], { sweeps });
    const onProgress = (line: string) => {
      lines.push(line);
      if (line.includes('1/10 episodes')) controller.abort(new Error('stop'));
    };
    const stopped = await climb(ladder, { signal: controller.signal, onProgress });
    expect(stopped.rows[0]).toMatchObject({ status: 'unfinished', failure: null });
    expect(listDoubles()).toEqual([]);
    const finished = await climb(ladder);
    expect(finished.rows[0]?.sweeps['cliff']?.totals).toMatchObject({ episodes: 10, passed: 10 });
    expect(lines.some((line) => /eval: [1-9] of 10 episodes are on the disk/.test(line))).toBe(true);
  });

  test('has the next server up while a model plays, when it is told to prefetch', async () => {
    const summary = await climb(ladderOf([entryOf('one'), entryOf('two')], { prefetch: true }));
    expect(summary.complete).toBe(true);
    const started = lines.findIndex((line) => line.startsWith('two: model server: starting'));
    expect(started).toBeLessThan(lines.findIndex((line) => line.startsWith('ladder: two')));
    expect(listDoubles()).toEqual([]);
  });

  test('prefetches no server for what is finished', async () => {
    await climb(ladderOf([entryOf('two')]));
    lines = [];
    await climb(ladderOf([entryOf('one'), entryOf('two')], { prefetch: true }));
    expect(startsOf('one')).toHaveLength(1);
    expect(startsOf('two')).toEqual([]);
  });

  test('starts and stops nothing, when it is given the address of a server', async () => {
    const server = execa(process.execPath, [double, '--port', '0', '--name', 'right'], { reject: false });
    try {
      const port = await readPort(server.stdout);
      const { rows } = await climb(ladderOf([entryOf('right')]), { baseUrl: `http://127.0.0.1:${port}/v1` });
      expect(rows[0]).toMatchObject({ status: 'done', failure: null });
      expect(startsOf('right')).toEqual([]);
      expect((await fetch(`http://127.0.0.1:${port}/health`)).ok).toBe(true);
    } finally {
      server.kill();
      await server;
    }
  });

  test('leaves no process and goes on, when it was killed in the middle', async () => {
    const source = `
      const { runLadder } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
      const ladder = ${JSON.stringify(ladderOf([entryOf('right', '--latency', '300')]))};
      await runLadder({ ladder, folder: ${JSON.stringify(folder)}, signal: new AbortController().signal, onProgress: console.log });`;
    const owner = execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
      reject: false,
      cwd: packageRoot(),
    });
    for await (const line of owner.iterable()) if (line.includes('healthy after')) owner.kill('SIGKILL');
    await vi.waitFor(() => expect(listDoubles()).toEqual([]), { timeout: 10_000, interval: 20 });
    const finished = await climb(ladderOf([entryOf('right', '--latency', '300')]));
    expect(finished.rows[0]?.sweeps['cliff']?.totals).toMatchObject({ episodes: 2, passed: 2 });
  });
});
