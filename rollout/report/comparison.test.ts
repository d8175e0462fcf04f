import { describe, expect, test } from 'vitest';
import { compareRuns, countIncomparable } from './comparison.ts';
import { makeComparisonSections } from './comparison-sections.ts';
import { formatSections } from './format-sections.ts';
import { makeRecord } from './record.test-double.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Ten tasks at each depth, of which the first `passed` pass. */
const run = (file: string, passed: readonly number[], skip = 0) => ({
  file,
  records: passed.flatMap((count, depth) =>
    range(10)
      .slice(depth === 0 ? skip : 0)
      .map((seed) =>
        makeRecord({ depth, task: `d${depth}-s${seed}`, task_hash: `d${depth}s${seed}`, passed: seed < count }),
      ),
  ),
});

describe('compareRuns()', { timeout: 60_000 }, () => {
  test('pairs by task, tests each depth and corrects by Holm', () => {
    const comparison = compareRuns(run('a', [10, 0]), run('b', [10, 8]));
    const [d0, d1] = comparison.rows;
    expect(d0).toMatchObject({ label: 'cliff D0', tasks: 10, only_a: 0, only_b: 0, mcnemar: 1, mcnemar_holm: 1 });
    expect(d1).toMatchObject({ label: 'cliff D1', a: { count: 0, n: 10 }, b: { count: 8, n: 10 }, only_b: 8 });
    expect(d1?.mcnemar).toBeCloseTo(2 * 0.5 ** 8, 12);
    expect(d1?.mcnemar_holm).toBeCloseTo(4 * 0.5 ** 8, 12);
    expect(d1?.paired?.difference).toBeCloseTo(0.8, 12);
    expect(comparison.total.paired?.difference).toBeCloseTo(0.4, 12);
    expect(comparison.power).toMatchObject({ difference: 0.1, discordant: 0.4 });
    expect(countIncomparable(comparison)).toBe(0);
  });

  test('names what one of them lacks, and leaves masked episodes out', () => {
    const b = run('b', [10, 8], 2);
    const [first, ...rest] = b.records;
    const masked = { ...first!, outcome: 'masked' as const, reward: null, passed: false };
    const comparison = compareRuns(run('a', [10, 0]), { file: 'b', records: [masked, ...rest] });
    expect(comparison.b.missing).toEqual(['d0-s0', 'd0-s1', 'd0-s2']);
    expect(comparison.b.masked).toBe(1);
    expect(comparison.total.tasks).toBe(17);
    expect(countIncomparable(comparison)).toBe(4);
    expect(formatSections(makeComparisonSections(comparison), 'table')).toContain(
      'Missing in B (3): d0-s0, d0-s1, d0-s2.',
    );
  });

  test('pairs samples of a task with each other, and draws them together', () => {
    const samples = (file: string, passed: number) => ({
      file,
      records: range(8).map((index) =>
        makeRecord({ task: 't', task_hash: `t${index % 2}`, sample: Math.floor(index / 2), passed: index < passed }),
      ),
    });
    const { total } = compareRuns(samples('a', 2), samples('b', 6));
    expect(total).toMatchObject({ tasks: 2, pairs: 8, only_b: 4 });
  });

  test('throws E_COMPARE, when nothing is shared or a run holds several policies', () => {
    const other = { file: 'b', records: [makeRecord({ task_hash: 'elsewhere' })] };
    expect(() => compareRuns(run('a', [1]), other)).toThrow(expect.objectContaining({ code: 'E_COMPARE' }));
    const mixed = { file: 'a', records: [makeRecord(), makeRecord({ policy: 'q' })] };
    expect(() => compareRuns(mixed, other)).toThrow(/p; q/);
    expect(() => compareRuns({ file: 'a', records: [] }, other)).toThrow(/none/);
  });
});
