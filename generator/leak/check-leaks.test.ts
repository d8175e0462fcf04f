import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hashTask } from '../../env/index.ts';
import { makeTask, selectTasks } from '../select/index.ts';
import { loadSplit } from '../split/index.ts';
import { checkLeaks } from './check-leaks.ts';
import { readRows } from './row.ts';

const folder = mkdtempSync(join(tmpdir(), 'muxgym-leak-'));
afterAll(() => rmSync(folder, { recursive: true }));

const reference = selectTasks({ seeds: '0-9' });
const check = (split: string, ...rows: unknown[]) => {
  const path = join(folder, 'rows.jsonl');
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return checkLeaks(readRows(path), loadSplit(split), reference);
};
const kinds = (split: string, ...rows: unknown[]) => check(split, ...rows).findings.map(({ kind }) => kind);
const messages = (prompt: string) => [
  { role: 'system', content: 'You are in a shell.' },
  { role: 'user', content: `Task:\n${prompt}` },
  { role: 'assistant', content: 'cat a > $REPORT' },
];

test('checkLeaks() finds nothing, when every training task of the reference is a row, as a task and as messages', () => {
  const inside = [...selectTasks({ split: 'cliff:train', seeds: '0-9' })];
  const report = check('cliff:train', ...inside, ...inside.map(({ prompt }) => ({ messages: messages(prompt) })));
  expect(report).toMatchObject({ rows: 300, proven: 150, findings: [], near: [] });
});

test('checkLeaks() decides by structure, when a row is or names a held-out task that is not in the reference', () => {
  const task = makeTask('cliff-d4-n33-s12345');
  expect(kinds('cliff:train', task, { task: task.id }, { task_id: task.id })).toEqual([
    'structure',
    'structure',
    'structure',
  ]);
  expect(kinds('cliff:holdout-d3d4', { task: task.id }, { task: 'cliff-d0-n1-s1' })).toEqual(['structure']);
  expect(check('cliff:train', { task: task.id }).findings[0]).toMatchObject({
    where: expect.stringMatching(/rows\.jsonl:1$/),
    task: task.id,
    found: 'depth D4 is not in D0-D2',
  });
});

test('checkLeaks() decides by hash, when a row carries no more than a held-out hash, or not its own', () => {
  const heldOut = hashTask(makeTask('cliff-d3-n4-s2'));
  const inside = hashTask(makeTask('cliff-d1-n4-s2'));
  expect(kinds('cliff:train', { task_hash: heldOut }, { task_hash: inside })).toEqual(['hash']);
  expect(kinds('cliff:train', { task: 'cliff-d1-n4-s2', task_hash: inside })).toEqual([]);
  expect(kinds('cliff:train', { task: 'cliff-d1-n4-s2', task_hash: heldOut })).toEqual(['hash']);
});

test('checkLeaks() finds a held-out prompt, when a row names no task or a false one', () => {
  const { prompt } = makeTask('cliff-d3-n4-s2');
  expect(kinds('cliff:train', { prompt }, { messages: messages(prompt) })).toEqual(['prompt', 'prompt']);
  expect(kinds('cliff:train', { task: 'cliff-d0-n1-s1', prompt })).toEqual(['prompt']);
});

test('checkLeaks() reports a near-duplicate, when a held-out wording has another name in it', () => {
  const { prompt, plan } = makeTask('cliff-d3-n2-s2');
  const name = plan
    .flatMap((operation) => (operation.type === 'worker' ? [operation.name] : []))
    .find((word) => prompt.includes(word));
  const other = prompt.replace(String(name), 'somewhere99').toUpperCase();
  expect(kinds('cliff:train', { prompt: other })).toEqual(['near-duplicate']);
});

test('checkLeaks() reports wording apart, when the structure proves that the row is inside', () => {
  const near = [...selectTasks({ depths: 'D0', ops: '15', seeds: '0-9' })];
  const report = check('cliff:train-ops15', ...near);
  expect(report.findings).toEqual([]);
  expect(report.proven).toBe(10);
});

test.each([
  ['{"task":"cliff-d0-n1-s1"}\n{"tas', 'E_JSON', 'rows.jsonl:2'],
  ['{"answer":1}\n', 'E_ROW', 'rows.jsonl:1'],
  ['[1]\n', 'E_ROW', 'rows.jsonl:1'],
  ['{"plan":[]}\n', 'E_TASK', 'rows.jsonl:1'],
])('readRows() names file and line, when the file holds %j', (text, code, where) => {
  const path = join(folder, 'rows.jsonl');
  writeFileSync(path, text);
  expect(() => [...readRows(path)]).toThrow(
    expect.objectContaining({ code, facts: expect.objectContaining({ where: expect.stringContaining(where) }) }),
  );
});
