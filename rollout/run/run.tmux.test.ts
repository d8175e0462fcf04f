import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { packageRoot } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import { readArrow } from '../arrow/index.ts';
import { makePolicy } from '../policy/index.ts';
import { serveChat } from '../policy/policy.conformance.ts';
import { readTrace, rolloutRecordSchema } from '../record/index.ts';
import { makeEffortFigures } from '../report/effort-figures.ts';
import { type RunOptions, replayEpisode, replayRun, runEpisodes } from './index.ts';

let folder: string;
let run: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-run-'));
  run = join(folder, 'run');
});
afterEach(() => rmSync(folder, { recursive: true }));

const makeTasks = (count: number, depth = 0) =>
  Array.from({ length: count }, (_, seed) => makeCliffTask({ profile: 'fair', depth, ops: 1, seed }));

/** Options of a run of the oracle on three D0 tasks, with what a test changes. */
function optionsOf(changes: Partial<RunOptions> = {}): RunOptions {
  return {
    ...{ folder: run, policy: makePolicy('oracle'), tasks: makeTasks(3), maxConcurrent: 2 },
    ...{ signal: new AbortController().signal, onProgress: () => undefined, ...changes },
  };
}

const episodesFile = () => join(run, 'episodes.jsonl');
const readLines = () => readFileSync(episodesFile(), 'utf8').split('\n').filter(Boolean);
const readAll = () => readLines().map((line) => rolloutRecordSchema.parse(JSON.parse(line)));

describe('runEpisodes()', () => {
  test('leaves one line an episode, its trace, both tables and a private key, when all went well', async () => {
    const summary = await runEpisodes(optionsOf({ tasks: [...makeTasks(2), ...makeTasks(1, 4)] }));
    expect(summary).toMatchObject({ policy: 'oracle', model: null, complete: true });
    expect(summary.totals).toMatchObject({ episodes: 3, scored: 3, masked: 0, passed: 3, mean_reward: 1 });
    const records = readAll();
    for (const record of records) {
      const { lines } = await readTrace(episodesFile(), record);
      expect(lines.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['reset', 'action', 'observation', 'grade']),
      );
    }
    expect((await readArrow(summary.arrow_file)).table.numRows).toBe(3);
    expect((await readArrow(summary.steps_file)).table.getChild('episode')?.get(0)).toBe(records[0]?.episode);
    expect(statSync(join(run, 'run.key')).mode & 0o777).toBe(0o600);
    const key = readFileSync(join(run, 'run.key'), 'utf8').trim();
    for (const name of readdirSync(run).filter((file) => file !== 'run.key')) {
      expect(readFileSync(join(run, name)).includes(key), name).toBe(false);
    }
    expect(readdirSync(run).filter((name) => name.startsWith('owner'))).toEqual([]);
  });

  test('changes no record and keeps its figures, when a finished run is run again', async () => {
    const first = await runEpisodes(optionsOf());
    const before = readFileSync(episodesFile());
    const second = await runEpisodes(optionsOf());
    expect(readFileSync(episodesFile()).equals(before)).toBe(true);
    expect(second).toEqual(first);
  });

  test('refuses another configuration, and starts over with clean', async () => {
    await runEpisodes(optionsOf());
    const noop = optionsOf({ policy: makePolicy('noop') });
    await expect(runEpisodes(noop)).rejects.toMatchObject({ code: 'E_CONFIG_CHANGED' });
    expect(readLines()).toHaveLength(3);
    const { totals } = await runEpisodes({ ...noop, clean: true });
    expect(totals).toMatchObject({ episodes: 3, passed: 0 });
    expect(readLines()).toHaveLength(3);
  });

  test('binds nobody to the flags of a start that failed, when no episode was played', async () => {
    const policy = makePolicy('openai', { baseUrl: 'http://127.0.0.1:1', requestTimeoutMs: 1 });
    await expect(runEpisodes(optionsOf({ policy }))).rejects.toMatchObject({ boundary: 'model' });
    expect(readdirSync(run).sort()).toEqual(['config.json', 'tasks.jsonl']);
    expect((await runEpisodes(optionsOf())).totals.passed).toBe(3);
  });

  test('keeps what finished and goes on from there, when it is aborted', async () => {
    const controller = new AbortController();
    const tasks = makeTasks(6);
    const options = optionsOf({ tasks, maxConcurrent: 1, signal: controller.signal });
    const stopped = await runEpisodes({ ...options, onProgress: () => controller.abort(new Error('stop')) });
    expect(stopped.complete).toBe(false);
    expect(stopped.totals.episodes).toBeGreaterThan(0);
    expect(stopped.totals.episodes).toBeLessThan(6);
    const finished = await runEpisodes(optionsOf({ tasks }));
    expect(finished.totals).toMatchObject({ episodes: 6, passed: 6 });
    expect(new Set(readAll().map(({ episode }) => episode)).size).toBe(6);
    expect(readLines()).toHaveLength(6);
  });

  test('has every finished episode once, when it was killed in the middle and a line was torn', async () => {
    const flags = ['--policy', 'oracle', '--depths', 'D0', '--ops', '1', '--seeds', '0-19', '--out', run];
    const program = ['--import', 'tsx', join(packageRoot(), 'scripts', 'muxgym.ts'), 'eval', ...flags];
    const child = execa(process.execPath, [...program, '--max-concurrent', '2'], { reject: false, cwd: packageRoot() });
    await vi.waitFor(() => expect(readLines().length).toBeGreaterThan(3), { timeout: 60_000, interval: 5 });
    child.kill('SIGKILL');
    expect((await child).signal).toBe('SIGKILL');
    const before = readLines();
    expect(before.length).toBeLessThan(20);
    writeFileSync(episodesFile(), `${before.join('\n')}\n{"schema":1,"episo`);
    const { totals } = await runEpisodes(optionsOf({ tasks: makeTasks(20) }));
    expect(totals).toMatchObject({ episodes: 20, passed: 20, masked: 0 });
    expect(readLines().slice(0, before.length)).toEqual(before);
    expect(new Set(readAll().map(({ episode }) => episode)).size).toBe(20);
    expect(readLines()).toHaveLength(20);
  });

  test('poses each sample with other secrets and estimates pass@k, when tasks are sampled', async () => {
    const { totals } = await runEpisodes(optionsOf({ tasks: makeTasks(1), samples: 2 }));
    expect(totals).toMatchObject({ episodes: 2, passed: 2, pass_at_k: { 1: 1, 2: 1 } });
    const values = readAll().map(({ checks }) => checks[0]?.value);
    expect(values[0]).toMatch(/^[0-9a-f]{8}\n$/);
    expect(values[0]).not.toBe(values[1]);
  });

  test('holds the folder against a second run, while the first one lives', async () => {
    const second: unknown[] = [];
    const onProgress = () => void runEpisodes(optionsOf()).catch((error: unknown) => second.push(error));
    await runEpisodes(optionsOf({ onProgress }));
    await vi.waitFor(() => expect(second[0]).toMatchObject({ code: 'E_RUN_LOCKED' }));
  });
});

describe('runEpisodes() with a model', () => {
  const solve = (prompt: string) => `\`\`\`bash\ncat ${/\b\S+\.txt\b/.exec(prompt)?.[0]} > "$REPORT"\n\`\`\``;
  const ask = (baseUrl: string) => makePolicy('openai', { baseUrl });

  test('counts format failures apart and runs nothing, when an answer has no block', async () => {
    await using server = await serveChat((prompt, call) => (call === 0 ? 'rm -rf everything' : solve(prompt)));
    const { totals, model } = await runEpisodes(optionsOf({ policy: ask(server.baseUrl), maxConcurrent: 1 }));
    expect(model).toBe('m');
    expect(totals).toMatchObject({ scored: 3, passed: 2, format_failures: 1, masked: 0 });
    const records = readAll();
    expect(records[0]).toMatchObject({ steps: 0, reward: 0, format_failures: 1, model: 'm' });
    expect(records.map(({ steps, model_turns }) => [steps, model_turns])).toEqual([0, 2, 2].map((steps) => [steps, 1]));
    expect(makeEffortFigures(records).format_failures).toMatchObject({ count: 1, n: 3 });
    expect((await readArrow(join(run, 'rollouts.arrow'))).table.getChild('model_turns')?.get(0)).toBe(1);
    const turns = (await readArrow(join(run, 'turns.arrow'))).table;
    expect(turns.get(0)?.toJSON()).toMatchObject({ step: null, turn: 1, format_failure: 'no-fence' });
  });

  test('ends an episode as truncated by context, once, when the conversation does not fit', async () => {
    const calls: number[] = [];
    await using server = await serveChat((prompt, call) => {
      calls.push(call);
      return call === 0 ? 400 : solve(prompt);
    });
    const { totals } = await runEpisodes(optionsOf({ policy: ask(server.baseUrl), maxConcurrent: 1 }));
    expect(totals).toMatchObject({ scored: 3, passed: 2, masked: 0, truncated: 1 });
    expect(totals.truncated_by.context).toBe(1);
    expect(readAll()[0]).toMatchObject({ outcome: 'scored', truncated_by: 'context', reward: 0 });
    expect(calls).toHaveLength(3);
  });

  test('masks an episode after its tries, with reward null, when the server keeps failing on it', async () => {
    const bad = makeTasks(3)[1]!.prompt;
    await using server = await serveChat((prompt) => (prompt === bad ? 500 : solve(prompt)));
    const options = optionsOf({ policy: ask(server.baseUrl), maxAttempts: 2 });
    const { totals } = await runEpisodes(options);
    expect(totals).toMatchObject({ episodes: 3, scored: 2, masked: 1, passed: 2, pass_rate: 1, mean_reward: 1 });
    const masked = readAll().find(({ outcome }) => outcome === 'masked');
    expect(masked).toMatchObject({ reward: null, passed: false, boundary: 'model', attempt: 1, steps: 0 });
    expect(masked?.failure).toContain('E_MODEL_REFUSED');
  });

  test('stops as broken machinery and goes on later, when the server is gone', async () => {
    const server = await serveChat((prompt, call) => {
      if (call === 1) void server[Symbol.asyncDispose]();
      return solve(prompt);
    });
    const first = runEpisodes(optionsOf({ policy: ask(server.baseUrl), maxConcurrent: 1 }));
    await expect(first).rejects.toMatchObject({ boundary: 'model', code: 'E_MODEL_UNREACHABLE' });
    expect(readAll().map(({ passed }) => passed)).toEqual([true]);
    await using next = await serveChat(solve);
    const { totals } = await runEpisodes(optionsOf({ policy: ask(next.baseUrl) }));
    expect(totals).toMatchObject({ episodes: 3, passed: 3, masked: 0 });
  }, 120_000);
});

describe('replayEpisode()', () => {
  test('sees the same again, for scripts and for a respawned pane', async () => {
    await runEpisodes(optionsOf({ tasks: [...makeTasks(1, 1), ...makeTasks(1, 4)] }));
    for (const { episode } of readAll()) {
      expect(await replayEpisode(run, episode)).toMatchObject({ same: true, first_difference: null });
    }
  });

  test('names the first step that differs, when the record was changed', async () => {
    const path = join(folder, 'agent.sh');
    writeFileSync(path, 'echo seen\n');
    await runEpisodes(optionsOf({ policy: makePolicy(`script:${path}`), tasks: makeTasks(1) }));
    const traces = join(run, 'traces.jsonl');
    writeFileSync(traces, readFileSync(traces, 'utf8').replace('echo seen', 'echo lied'));
    const [record] = readAll();
    expect(await replayEpisode(run, record!.episode)).toMatchObject({
      same: false,
      first_difference: { step: 1, recorded: { text: 'seen\n' }, replayed: { text: 'lied\n' } },
    });
  });

  test('throws E_EPISODE with some that exist, when the run holds no such one', async () => {
    await runEpisodes(optionsOf({ tasks: makeTasks(1) }));
    await expect(replayEpisode(run, 'nope')).rejects.toMatchObject({ code: 'E_EPISODE' });
  });
});

test('replayRun() reads the run once, before the first episode', async () => {
  await runEpisodes(optionsOf());
  const onProgress = () => rmSync(join(run, 'tasks.jsonl'), { force: true });
  expect(await replayRun(run, { concurrency: 1, onProgress })).toMatchObject({ episodes: 3, same: 3 });
});
