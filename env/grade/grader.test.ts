import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Check, type Task, taskSchema } from '../task/index.ts';
import { gradeSchema } from './grade.ts';
import { gradeChecks } from './index.ts';
import { readReportFile } from './report-file.ts';

const golden = taskSchema.parse(JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')));
const secrets = ['aaaa0000', 'bbbb1111'];

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'muxgym-home-'));
});
afterAll(() => rmSync(home, { recursive: true }));

const gradeReport = (text: string, task: Task = golden, flags: readonly string[] = []) => {
  writeFileSync(join(home, 'report.txt'), text);
  const reads = task.checks.map(({ probe }) => readReportFile(home, 'path' in probe ? probe.path : ''));
  return gradeSchema.parse(gradeChecks({ task, secrets, reads, flags, events: [], shaping: true }));
};
const withChecks = (...checks: Partial<Check>[]): Task => ({
  ...golden,
  checks: checks.map((check, index) => ({ ...golden.checks[0]!, id: `c${index}`, ...check })),
});

describe('gradeChecks()', () => {
  test('passes with the weighted mean below 1, when only an optional check fails', () => {
    const grade = gradeReport('bbbb1111\naaaa0000\n');
    expect(grade).toMatchObject({ outcome: 'scored', reward: 0.8, passed: true, boundary: null, failure: null });
    expect(grade.checks).toMatchObject([
      { id: 'report', ok: true, score: 1, value: 'bbbb1111\naaaa0000\n', note: null },
      { id: 'note', ok: false, score: 0, value: null, note: 'missing' },
    ]);
  });

  test('gives partial credit and does not pass, when a line is missing', () => {
    expect(gradeReport('aaaa0000', withChecks({}))).toMatchObject({ reward: 0.5, passed: false });
  });

  test('gives exactly 1, when every check holds, whatever the weights are', () => {
    const check = { op: 'contains', expect: ['{{slot:0}}'] } as const;
    const task = withChecks(...[0.1, 0.2, 0.3, 0.7, 1 / 3].map((weight) => ({ ...check, weight })));
    expect(gradeReport('aaaa0000', task)).toMatchObject({ reward: 1, passed: true });
  });

  test('gives 0 and does not pass, when flagged, though the report is right', () => {
    expect(gradeReport('aaaa0000\nbbbb1111', golden, ['log-closed'])).toMatchObject({
      outcome: 'flagged',
      reward: 0,
      passed: false,
      flags: ['log-closed'],
    });
  });

  test.each([
    ['missing', 1],
    ['exit-1', 1],
    ['not-frozen', 0],
    ['no-server', 0],
    ['disturbed', 0],
    ['link', 0],
  ])('takes for empty what is not there, and not what could not be read: %s', (reason, reward) => {
    const task = withChecks({ op: 'empty', expect: [] });
    const reads = [{ type: 'refused', reason } as const];
    expect(gradeChecks({ task, secrets, reads, flags: [], events: [], shaping: true })).toMatchObject({ reward });
  });

  test('cuts a long value to 4,096 characters', () => {
    expect(gradeReport('x'.repeat(60_000)).checks[0]?.value).toBe('x'.repeat(4_096));
  });

  test('throws, and gives no reward, when a check names a secret that does not exist', () => {
    expect(() => gradeReport('x', withChecks({ expect: ['{{slot:9}}'] }))).toThrow(/slot 9/);
  });
});
