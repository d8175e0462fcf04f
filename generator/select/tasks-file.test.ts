import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSecrets, parseRunKey } from '../../env/index.ts';
import { readTasks } from './read-tasks.ts';
import { selectTasks } from './select-tasks.ts';
import { writeAnswers } from './write-answers.ts';
import { writeTasks } from './write-tasks.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-tasks-'));
  path = join(folder, 'tasks.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const tasks = selectTasks({ depths: 'D0-D4', ops: '1,2', seeds: '0-1' });
const write = () => writeTasks(tasks, path, { flags: { ops: '1,2' } });
const rewrite = (edit: (text: string) => string) => writeFileSync(path, edit(readFileSync(path, 'utf8')));
const codeOf = (code: string, where: string) =>
  expect.objectContaining({ code, facts: expect.objectContaining({ where: expect.stringContaining(where) }) });

test('readTasks() gives back what writeTasks() wrote, when the files are whole', async () => {
  expect(await write()).toEqual({ count: 20, path, manifest: join(folder, 'tasks.manifest.json') });
  expect([...readTasks(path)]).toEqual([...tasks]);
  expect(readdirSync(folder).toSorted()).toEqual(['tasks.jsonl', 'tasks.manifest.json']);
});

test('writeTasks() writes equal bytes, when called twice', async () => {
  await write();
  const first = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  await write();
  expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(first);
});

test('writeTasks() leaves nothing behind, when it is interrupted', async () => {
  const signal = AbortSignal.abort(new Error('stop'));
  await expect(writeTasks(tasks, path, { flags: {}, signal })).rejects.toThrow('stop');
  expect(readdirSync(folder)).toEqual([]);
});

test('writeTasks() makes missing folders, and refuses a path below a file', async () => {
  const missing = join(folder, 'missing', 'tasks.jsonl');
  await writeTasks(tasks, missing, { flags: {} });
  expect(readdirSync(join(folder, 'missing')).sort()).toEqual(['tasks.jsonl', 'tasks.manifest.json']);
  const below = join(missing, 'tasks.jsonl');
  await expect(writeTasks(tasks, below, { flags: {} })).rejects.toThrow(codeOf('E_FILE', below));
});

test('readTasks() names file and line, when the last line is torn', async () => {
  await write();
  rewrite((text) => text.slice(0, -100));
  expect(() => [...readTasks(path)]).toThrow(codeOf('E_JSON', `${path}:20`));
});

test('readTasks() names file and line, when a line in the middle is no JSON', async () => {
  await write();
  rewrite((text) => text.replace('\n{', '\n?'));
  expect(() => [...readTasks(path)]).toThrow(codeOf('E_JSON', `${path}:2`));
});

test('readTasks() names the field, when a line is no task', async () => {
  await write();
  rewrite((text) => text.replace('"seed":1', '"seed":-1'));
  expect(() => [...readTasks(path)]).toThrow(codeOf('E_TASK', `${path}:2: seed`));
});

test('readTasks() names both hashes, when a task is not what the manifest froze', async () => {
  await write();
  rewrite((text) => text.replace('"steps":20', '"steps":21'));
  expect(() => [...readTasks(path)]).toThrow(codeOf('E_HASH', `${path}:1`));
});

test('readTasks() counts, when whole lines are missing or too many', async () => {
  await write();
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.split('\n').slice(0, 5).join('\n'));
  expect(() => [...readTasks(path)]).toThrow(codeOf('E_COUNT', path));
  writeFileSync(path, text);
  appendFileSync(path, `${text.split('\n')[0]}\n`);
  expect(() => [...readTasks(path)]).toThrow(codeOf('E_COUNT', `${path}:21`));
});

test('readTasks() trusts the schema alone, when no manifest lies beside the file', async () => {
  await write();
  rmSync(join(folder, 'tasks.manifest.json'));
  expect([...readTasks(path)]).toHaveLength(20);
});

test('readTasks() says so, when the manifest is no manifest', async () => {
  await write();
  writeFileSync(join(folder, 'tasks.manifest.json'), '{"schema":1}');
  expect(() => [...readTasks(path)]).toThrow(codeOf('E_MANIFEST', 'tasks.manifest.json'));
});

test('writeAnswers() writes the secrets of sample 0 for the owner only, when given a run key', async () => {
  const key = parseRunKey('ab'.repeat(32));
  const answers = join(folder, 'tasks.answers.jsonl');
  await writeAnswers(tasks, key, answers);
  const first = JSON.parse(readFileSync(answers, 'utf8').split('\n')[0]!) as { hash: string };
  const expectAnswers = makeSecrets(key, first.hash as never, 0, 1);
  expect(first).toMatchObject({ id: 'cliff-d0-n1-s0', sample: 0, checks: [{ id: 'report', expect: expectAnswers }] });
  expect(statSync(answers).mode & 0o777).toBe(0o600);
});

test('selectTasks() reads files, folders and ids together, when --tasks names them', async () => {
  await write();
  const ids = (flags: Parameters<typeof selectTasks>[0]) => [...selectTasks(flags)].map(({ id }) => id);
  expect(ids({ tasks: [folder], depths: 'D1', seeds: '0' })).toEqual(['cliff-d1-n1-s0', 'cliff-d1-n2-s0']);
  expect(ids({ tasks: [path, 'cliff-d3-n8-s42'], limit: 21 }).at(-1)).toBe('cliff-d3-n8-s42');
});
