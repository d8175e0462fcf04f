import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashTask, packageRoot } from '../env/index.ts';
import { makeTask, readTasks, selectTasks, writeTasks } from '../generator/index.ts';
import { writeArrow } from '../rollout/index.ts';

const largest = Number.MAX_SAFE_INTEGER;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muxgym-seeds-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A task file of the house with another seed. */
async function writeToml(seed: string): Promise<string> {
  const text = await readFile(join(packageRoot(), 'data', 'tasks', 'solo', 'A-BUF-001.toml'), 'utf8');
  const path = join(folder, 'A-BUF-001.toml');
  await writeFile(
    path,
    text.replace(/^id = .*$/m, (line) => `${line}\nseed = ${seed}`),
  );
  return path;
}

/** What pyarrow reads in a table of tasks, and Python in lines of JSON: the type of the column, both lists of seeds. */
async function readInPython(arrow: string, lines: string): Promise<unknown> {
  const python = join(packageRoot(), 'trainer-bridge', 'python', '.venv', 'bin', 'python');
  const source = `
import json, sys, pyarrow as pa
column = pa.ipc.open_stream(sys.argv[1]).read_all()["seed"]
rows = [json.loads(line)["seed"] for line in open(sys.argv[2])]
print(json.dumps([str(column.type), [str(value) for value in column.to_pylist()], [str(seed) for seed in rows]]))`;
  const { stdout } = await execa(python, ['-c', source, arrow, lines]);
  return JSON.parse(stdout);
}

test('a seed arrives to the digit, when it goes from TOML and ids to JSON, Arrow and pyarrow', async () => {
  const [authored] = selectTasks({ tasks: [await writeToml(String(largest))] });
  const [small] = selectTasks({ tasks: [await writeToml('10')] });
  const tasks = [authored!, small!, makeTask(`cliff-d0-n1-s${largest}`), makeTask(`cliff-d1-n1-s${largest - 1}`)];
  const lines = join(folder, 'tasks.jsonl');
  await writeTasks(tasks, lines, { flags: {} });
  const read = [...readTasks(lines)];
  expect(read.map(({ seed }) => seed)).toEqual([largest, 10, largest, largest - 1]);
  const arrow = join(folder, 'tasks.arrow');
  const rows = read.map((task) => ({ ...task, task_hash: hashTask(task), split: null, task: JSON.stringify(task) }));
  await writeArrow(arrow, 'tasks', rows);
  const seeds = ['9007199254740991', '10', '9007199254740991', '9007199254740990'];
  expect(await readInPython(arrow, lines)).toEqual(['int64', seeds, seeds]);
});

test.each(['9007199254740993', '9007199254740992', '-1', '1.5', '"7"'])(
  'a task file is refused at its line, when its seed is %s',
  async (seed) => {
    const path = await writeToml(seed);
    const where = expect.stringMatching(/A-BUF-001\.toml:3:\d+/);
    const facts = expect.objectContaining({ where });
    expect(() => selectTasks({ tasks: [path] })).toThrow(expect.objectContaining({ facts }));
  },
);
