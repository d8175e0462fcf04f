import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../env/index.ts';
import { makeCliffTask, makeEventTask } from '../../generator/index.ts';
import { makePolicy } from '../policy/index.ts';
import { serveChat } from '../policy/policy.conformance.ts';
import { readRecords } from '../record/index.ts';
import { runEpisodes } from '../run/index.ts';
import { type ExportFormat, exportData, makeTaskSource, readRunSource } from './index.ts';

let folder: string;
const at = (...path: readonly string[]) => join(folder, ...path);
const bell = makeEventTask({ kind: 'bell', level: 0, count: 1, seed: 0, arm: 'event' });
const tasks = [0, 1, 4].map((depth) => makeCliffTask({ profile: 'fair', depth, ops: 1, seed: 3 }));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-export-'));
  const common = { tasks, signal: new AbortController().signal, onProgress: () => undefined };
  await runEpisodes({ ...common, folder: at('oracle'), policy: makePolicy('oracle') });
  await runEpisodes({ ...common, tasks: [bell], folder: at('events'), policy: makePolicy('oracle') });
  await using server = await serveChat(
    (prompt) => `\`\`\`bash\ncat ${/\b\S+\.txt\b/.exec(prompt)?.[0]} > "$REPORT"\n\`\`\``,
  );
  await runEpisodes({ ...common, folder: at('model'), policy: makePolicy('openai', { baseUrl: server.baseUrl }) });
});
afterAll(() => rmSync(folder, { recursive: true }));

let exports = 0;
const exportRun = async (run: string, format: ExportFormat) =>
  await exportData({ source: await readRunSource(at(run)), format, folder: at(`${run}-${format}-${exports++}`) });
const readLines = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Runs a program in the Python environment of the checkout; it prints one JSON value. */
async function runPython(source: string, ...args: readonly string[]): Promise<unknown> {
  const python = join(packageRoot(), 'trainer-bridge', 'python', '.venv', 'bin', 'python');
  const { stdout } = await execa(python, ['-c', source, ...args]);
  return JSON.parse(stdout);
}

describe('exportData()', () => {
  test('writes Arrow and Parquet that Python reads alike, with every episode, step, turn and event', async () => {
    const arrow = await exportRun('model', 'arrow');
    const parquet = await exportRun('model', 'parquet');
    expect(arrow.written).toEqual(parquet.written);
    expect(arrow.written).toMatchObject({ tasks: 3, episodes: 3, turns: 3, events: 0 });
    const source = `
import json, sys, pyarrow as pa, pyarrow.parquet as pq, pandas as pd
arrow, parquet = sys.argv[1:]
same = {}
for table in ("tasks", "episodes", "steps", "turns", "events"):
    stream = pa.ipc.open_stream(f"{arrow}/{table}.arrow").read_all()
    stored = pq.read_table(f"{parquet}/{table}")
    assert len(pd.read_parquet(f"{parquet}/{table}")) == stream.num_rows
    same[table] = stream.equals(stored) and stream.schema.equals(stored.schema)
print(json.dumps(same))`;
    const same = { tasks: true, episodes: true, steps: true, turns: true, events: true };
    expect(await runPython(source, arrow.out, parquet.out)).toEqual(same);
  });

  test('writes tables that every reader opens and joins, when a column has values in one shard only', async () => {
    const full = await exportRun('model', 'parquet');
    const other = await exportRun('events', 'parquet');
    const streams = [await exportRun('model', 'arrow'), await exportRun('events', 'arrow')];
    expect([full.written['events'], other.written['turns']]).toEqual([0, 0]);
    const source = `
import json, sys, duckdb, pandas as pd, polars as pl, pyarrow as pa, pyarrow.parquet as pq
from datasets import load_dataset
full, other, *streams, cache = sys.argv[1:]
counts = {}
for table in ("tasks", "episodes", "steps", "turns", "events"):
    shards = [f"{full}/{table}", f"{other}/{table}"]
    globs = [f"{shard}/*.parquet" for shard in shards]
    arrow = [f"{stream}/{table}.arrow" for stream in streams]
    counts[table] = {
        "pyarrow": pa.concat_tables([pq.read_table(shard) for shard in shards]).num_rows,
        "pyarrow, streams": pa.concat_tables([pa.ipc.open_stream(path).read_all() for path in arrow]).num_rows,
        "pandas": len(pd.concat([pd.read_parquet(shard) for shard in shards])),
        "polars": pl.concat([pl.read_parquet(glob) for glob in globs]).height,
        "polars, streams": pl.concat([pl.read_ipc_stream(path) for path in arrow]).height,
        "duckdb": duckdb.execute("select count(*) from read_parquet(?)", [globs]).fetchone()[0],
        "datasets": load_dataset("parquet", data_files=globs[::-1], split="train", cache_dir=cache).num_rows,
    }
print(json.dumps(counts))`;
    const paths = [full.out, other.out, ...streams.map(({ out }) => out), at('cache')];
    const counts = (await runPython(source, ...paths)) as Record<string, Record<string, number>>;
    for (const [table, readers] of Object.entries(counts)) {
      const rows = Number(full.written[table]) + Number(other.written[table]);
      expect(new Set(Object.values(readers)), `${table}: ${JSON.stringify(readers)}`).toEqual(new Set([rows]));
    }
    expect(Object.keys(counts)).toHaveLength(5);
  });

  test('writes a Hub folder whose card lets datasets load each configuration', async () => {
    const { out, written } = await exportRun('model', 'hf');
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toMatch(/^---\nlicense: mit\n/);
    const source = `
import json, sys, datasets
names = datasets.get_dataset_config_names(sys.argv[1])
data = {name: datasets.load_dataset(sys.argv[1], name, split="train", cache_dir=sys.argv[1] + ".cache") for name in names}
print(json.dumps([{name: len(rows) for name, rows in data.items()}, data["episodes"]["task"][:], data["turns"][0]["messages"][0]["role"]]))`;
    const [rows, names, role] = (await runPython(source, out)) as [Record<string, number>, string[], string];
    expect(rows).toEqual(Object.fromEntries(Object.entries(written).filter(([, count]) => count > 0)));
    expect([...names].sort()).toEqual(tasks.map(({ id }) => id).sort());
    expect(role).toBe('system');
  });

  test('tells what passed as conversations, from a model, from scripted actions and from tasks', async () => {
    const passed = (await readRecords(at('model', 'episodes.jsonl'))).filter((record) => record.passed).length;
    expect(passed).toBeGreaterThan(0);
    const model = await exportRun('model', 'sft');
    expect(model.written).toEqual({ rows: passed, skipped: 3 - passed });
    const [row] = readLines(join(model.out, 'train.jsonl'));
    expect(row.messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant']);
    const oracle = await exportRun('oracle', 'sft');
    expect(oracle.written).toEqual({ rows: 3, skipped: 0 });
    const source = makeTaskSource(tasks, null);
    const fromTasks = await exportData({ source, format: 'sft', folder: at('tasks-sft') });
    expect(readLines(join(fromTasks.out, 'train.jsonl'))[0]).toMatchObject({ policy: 'oracle', task: tasks[0]?.id });
  });

  test('writes a trajectory of ATIF an episode, with steps numbered from 1 and each result beside its call', async () => {
    for (const run of ['oracle', 'model']) {
      const { out, written } = await exportRun(run, 'atif');
      expect(written).toEqual({ trajectories: 3 });
      for (const name of readdirSync(out)) {
        const value = JSON.parse(readFileSync(join(out, name, 'trajectory.json'), 'utf8'));
        expect(value).toMatchObject({ schema_version: 'ATIF-v1.7', extra: { outcome: 'scored' } });
        expect(value.steps.map((step: { step_id: number }) => step.step_id)).toEqual(
          value.steps.map((_: unknown, index: number) => index + 1),
        );
        const act = value.steps.find((step: { tool_calls?: unknown }) => step.tool_calls !== undefined);
        expect(act.observation.results[0].source_call_id).toBe(act.tool_calls[0].tool_call_id);
      }
    }
  });

  test('refuses a folder that holds something, and trajectories of tasks', async () => {
    const source = makeTaskSource(tasks, null);
    await expect(exportData({ source, format: 'arrow', folder })).rejects.toMatchObject({ code: 'E_OUT' });
    await expect(exportData({ source, format: 'atif', folder: at('x') })).rejects.toMatchObject({ code: 'E_FORMAT' });
  });

  test('removes no run that it is to read, when it is to clean the folder of it or one above', async () => {
    const source = await readRunSource(at('oracle'));
    for (const target of [at('oracle'), folder]) {
      await expect(exportData({ source, format: 'arrow', folder: target, clean: true })).rejects.toMatchObject({
        code: 'E_OUT',
      });
    }
    expect(await readRecords(at('oracle', 'episodes.jsonl'))).toHaveLength(3);
  });
});

describe('exported Harbor tasks', () => {
  const muxgym = join(packageRoot(), 'scripts', 'muxgym.ts');

  test('hold what Harbor needs, and their solution earns the reward under the supervisor', async () => {
    const source = makeTaskSource(tasks, 'cliff:train');
    const { out } = await exportData({ source, format: 'harbor', folder: at('harbor') });
    expect(readdirSync(out).sort()).toEqual(tasks.map(({ id }) => id).sort());
    const task = join(out, tasks[2]!.id);
    const config = parse(readFileSync(join(task, 'task.toml'), 'utf8'));
    expect(config).toMatchObject({ schema_version: '1.4', metadata: { depth: 4, split: 'cliff:train' } });
    expect(readFileSync(join(task, 'instruction.md'), 'utf8')).toContain(tasks[2]!.prompt);

    const run = at('supervisor');
    const env = {
      MUXGYM_RUN: run,
      MUXGYM_LOGS: at('logs'),
      PATH: `${join(packageRoot(), 'data/harbor')}:${process.env['PATH']}`,
    };
    const args = [muxgym, 'supervise', '--task', join(task, 'environment', 'task.jsonl'), '--run', run];
    const supervisor = execa(process.execPath, ['--import', 'tsx', ...args], { cwd: packageRoot(), reject: false });
    try {
      await expect
        .poll(async () => (await execa('mux', ['health'], { env, reject: false })).exitCode, {
          timeout: 110_000,
          interval: 500,
        })
        .toBe(0);
      expect((await execa('mux', ['run', 'echo hi; exit 3'], { env })).stdout).toBe('hi\n[exit code 3]');
      await execa(join(task, 'solution', 'solve.sh'), { env });
      await execa(join(task, 'tests', 'test.sh'), { env });
      expect(JSON.parse(readFileSync(at('logs', 'reward.json'), 'utf8'))).toEqual({ reward: 1, passed: 1 });
      expect((await execa('mux', ['run', 'true'], { env, reject: false })).stderr).toContain('E_NO_EPISODE');
    } finally {
      supervisor.kill('SIGTERM');
      await supervisor;
    }
    const failed = await execa('mux', ['reward'], { env, reject: false, input: '{"reward":null,"outcome":"masked"}' });
    expect(failed.exitCode).toBe(1);
    expect(failed.stdout).toBe('');
  }, 240_000);
});
