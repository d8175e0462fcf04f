import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordBatchFileWriter } from 'apache-arrow';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot, seedSchema } from '../../env/index.ts';
import { type Row, readArrow, writeArrow } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-arrow-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const check = { id: 'c', role: 'state', event: null, value: 'é', note: null, ok: true, score: 0.5, weight: 1 };
const event = {
  ...{ id: 'e1', kind: 'bell', fired_tick: 3, visible_tick: 3, perceived_tick: null, perceived_by: null, armed: true },
  ...{ polls: 2, reacted_tick: null, deadline_tick: 9, outcome: 'never-perceived' },
};
const plain: Row = {
  ...{ episode: 'e', task: 't', task_hash: 'h', suite: 'cliff', pillar: 'cliff', depth: 1, ops: 2, sample: 0 },
  ...{ attempt: 0, seed: 7, policy: 'oracle', trace: 'traces.jsonl#0', outcome: 'scored', reward: 0.25, passed: false },
  ...{ flags: [], checks: [check], events: [], steps: 2, ticks: 2, wall_ticks: 0, reproducible: true },
  ...{ format_failures: 0, sandbox: 'bare', tmux_version: '3.3a', observation_hash: 'a', observation_hash_raw: 'b' },
  ...{ replaced_bytes: 0, timings: { reset_ms: 1, step_ms: 2, grade_ms: 3, policy_ms: 4, model_ms: 0, queue_ms: 0 } },
};

/** Runs a program in the Python environment of the checkout; it prints one JSON value. */
async function runPython(source: string, ...args: readonly string[]): Promise<unknown> {
  const python = join(packageRoot(), 'trainer-bridge', 'python', '.venv', 'bin', 'python');
  const { stdout } = await execa(python, ['-c', source, ...args]);
  return JSON.parse(stdout);
}

describe('BR-38', () => {
  test('readArrow() and pyarrow open 100 rollouts as documented, and the other reader names the right call', async () => {
    const stream = join(folder, 'rollouts.arrow');
    const file = join(folder, 'file.arrow');
    const rows = Array.from({ length: 100 }, (_, seed) => ({ ...plain, seed }));
    await writeArrow(stream, 'episodes', rows);
    const { table } = await readArrow(stream);
    expect(table.numRows).toBe(100);
    expect(Array.from(table.getChild('seed') ?? [])).toEqual(rows.map(({ seed }) => BigInt(seed)));
    const source = `
import json, sys, pyarrow as pa
print(json.dumps(pa.ipc.open_stream(sys.argv[1]).read_all()["seed"].to_pylist()))`;
    expect(await runPython(source, stream)).toEqual(rows.map(({ seed }) => seed));
    writeFileSync(file, RecordBatchFileWriter.writeAll(table).toUint8Array(true));
    await expect(readArrow(file)).rejects.toMatchObject({
      code: 'E_ARROW_FORMAT',
      facts: { hint: expect.stringContaining('pyarrow.ipc.open_file') },
    });
  }, 60_000);
});

describe('BR-41', () => {
  test('pyarrow and datasets join shards in either order, when columns are empty in one and one has no row', async () => {
    const shards = [
      [{ ...plain, boundary: null, failure: null, events: [] }],
      [{ ...plain, boundary: 'tmux', failure: 'gone', events: [event], flags: ['F'], seed: Number.MAX_SAFE_INTEGER }],
      [],
    ];
    const paths = shards.map((_, index) => join(folder, `shard-${index}.arrow`));
    for (const [index, rows] of shards.entries()) await writeArrow(paths[index]!, 'episodes', rows);
    const source = `
import json, sys, pyarrow as pa, datasets
paths = sys.argv[1:]
joined = []
for order in (paths, paths[::-1]):
    table = pa.concat_tables([pa.ipc.open_stream(path).read_all() for path in order])
    table.validate(full=True)
    data = datasets.load_dataset("arrow", data_files=order, split="train", cache_dir=sys.argv[1] + ".cache")
    joined.append([table["failure"].to_pylist(), data["failure"][:], [row["events"] for row in data], table["seed"].to_pylist()])
print(json.dumps(joined))`;
    const [there, back] = (await runPython(source, ...paths)) as unknown[][];
    const seeds = [7, Number.MAX_SAFE_INTEGER];
    expect(there).toEqual([[null, 'gone'], [null, 'gone'], [[], [event]], seeds]);
    expect(back).toEqual([['gone', null], ['gone', null], [[event], []], seeds.toReversed()]);
  }, 120_000);
});

describe('BR-48', () => {
  test('seedSchema refuses a seed that a number cannot hold, and the others arrive in pyarrow to the digit', async () => {
    expect(seedSchema.safeParse(Number('9007199254740993')).success).toBe(false);
    const path = join(folder, 'rollouts.arrow');
    const seeds = [10, Number.MAX_SAFE_INTEGER];
    await writeArrow(
      path,
      'episodes',
      seeds.map((seed) => ({ ...plain, seed: seedSchema.parse(seed) })),
    );
    const column = (await readArrow(path)).table.getChild('seed');
    expect(Array.from(column ?? [])).toEqual([10n, 9_007_199_254_740_991n]);
    const source = `
import json, sys, pyarrow as pa
column = pa.ipc.open_stream(sys.argv[1]).read_all()["seed"]
print(json.dumps([str(column.type), [str(value) for value in column.to_pylist()]]))`;
    expect(await runPython(source, path)).toEqual(['int64', ['10', '9007199254740991']]);
  }, 60_000);
});
