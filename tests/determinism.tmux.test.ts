import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Gym, type Task } from '../env/index.ts';
import { makeTask } from '../generator/index.ts';
import { makePolicy, replayRun, runEpisodes } from '../rollout/index.ts';

const repeats = Number(process.env['MUXGYM_REPEATS'] ?? 3);
const seeds = Number(process.env['MUXGYM_EVENT_SEEDS'] ?? 6);
const kinds = ['death', 'activity', 'silence', 'bell', 'completion', 'interrupt'] as const;

/** Looks at everything that tmux shows, second by second, in one action. */
const watch = `for i in 1 2 3 4 5 6 7 8; do
  tmux list-windows -a; tmux list-panes -a
  for p in $(tmux list-panes -a -F '#{pane_id}'); do tmux capture-pane -p -t $p | grep -v '^$'; done
  sleep 1
done`;

let gym: Gym;
beforeAll(async () => {
  gym = await createGym();
});
afterAll(() => gym?.close());

const watchOnce = async (task: Task) => {
  await using env = gym.createEnv();
  await env.reset({ task });
  await env.step({ type: 'script', script: watch });
  await env.step({ type: 'command', command: 'tmux list-windows -a; date +%s' });
  const { events } = await env.grade();
  const { observationHash, reproducible } = env.summary();
  const ticks = events.map(({ id, fired_tick, perceived_tick, polls }) => [id, fired_tick, perceived_tick, polls]);
  return { hash: observationHash, ticks: JSON.stringify(ticks), reproducible };
};

/**
 * So many runs that can be repeated. A machine that is too busy to settle a world says so in its record; three such runs
 * for each good one are borne with.
 */
const watchOften = async (task: Task) => {
  const runs = [];
  for (let run = 0; run < 4 * repeats && runs.length < repeats; run++) {
    const watched = await watchOnce(task);
    if (watched.reproducible) runs.push(watched);
  }
  return runs;
};

/** What two programs that compute without end leave to the gym. */
const withLoad = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  const burners: ChildProcess[] = [1, 2].map(() => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
  try {
    return await work();
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
  }
};

describe('the same seed and policy', { timeout: 60_000 + 30_000 * repeats }, () => {
  test.each(kinds)('give the same ticks and observations, quiet and under load, in %s', async (kind) => {
    const task = makeTask(`events-${kind}-e1-k2-s3`);
    const quiet = await watchOften(task);
    const loaded = await withLoad(() => watchOften(task));
    const [first, ...others] = [...quiet, ...loaded];
    expect(others).toHaveLength(2 * repeats - 1);
    for (const run of others) expect(run).toEqual(first);
  });
});

test('an event happens after the first action of the agent, in every seeded episode', {
  timeout: 60_000 + 5_000 * seeds,
}, async () => {
  for (let seed = 0; seed < seeds; seed++) {
    const task = makeTask(`events-mixed-e${seed % 3}-k3-s${seed}`);
    await using env = gym.createEnv();
    await env.reset({ task });
    await env.step({ type: 'command', command: 'true' });
    const before = env.trace().filter(({ type, tick }) => type === 'event' && tick < 1);
    expect(before, task.id).toEqual([]);
    await env.step({ type: 'wait', ticks: 60 });
    const { events } = await env.grade();
    for (const { fired_tick } of events) expect(fired_tick, task.id).toBeGreaterThanOrEqual(1);
  }
});

describe('a recorded run', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'muxgym-replay-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is seen again hash by hash, and otherwise when one action is another', async () => {
    const script = join(folder, 'watch.sh');
    writeFileSync(script, watch);
    const ids = [...kinds.map((kind) => `events-${kind}-e1-k1-s5`), ...[0, 1, 2, 3, 4].map((d) => `cliff-d${d}-n2-s5`)];
    const run = join(folder, 'run');
    await runEpisodes({
      folder: run,
      policy: makePolicy(`script:${script}`),
      tasks: ids.map(makeTask),
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    const options = { concurrency: 2, onProgress: () => {} };
    const again = await replayRun(run, options);
    expect(again).toMatchObject({ episodes: ids.length, different: [] });
    expect(again.same + again.not_reproducible).toBe(ids.length);
    expect(again.same).toBeGreaterThan(ids.length / 2);
    expect(again.replaced_share).toBeLessThan(0.05);

    // Another action of the same length, since the record names places of the file by bytes.
    const traces = join(run, 'traces.jsonl');
    writeFileSync(traces, readFileSync(traces, 'utf8').replaceAll('tmux list-windows -a;', 'tmux list-sessions  ;'));
    const other = await replayRun(run, options);
    expect(other.same).toBe(0);
  });
});
