import { describe, expect, test } from 'vitest';
import { type EvalReport, lineColumns, makeLines, makeRows } from './demo-table.ts';
import { formatTable } from './output.ts';

const cell = (depth: number, passed: number, reward: number) => ({
  depth,
  scored: 4,
  flagged: 1,
  masked: 1,
  passed,
  mean_reward: reward,
});
const report = (...cells: EvalReport['cells']): EvalReport => ({ cells, arrow_file: 'a', report: 'r' });

describe('makeRows()', () => {
  test('makeRows() pools the op-counts of a depth, when there are several', () => {
    const rows = makeRows('sft', report(cell(3, 1, 0.2), cell(0, 5, 1), cell(0, 3, 0.7)));
    expect(rows.map(({ depth }) => depth)).toEqual([0, 3]);
    expect(rows[0]).toMatchObject({ episodes: 10, masked: 2, passed: 8, pass_rate: 0.8, held_out: false });
    expect(rows[0]?.mean_reward).toBeCloseTo(0.85);
    expect(rows[0]?.ci_low).toBeCloseTo(0.4902, 4);
    expect(rows[0]?.ci_high).toBeCloseTo(0.9433, 4);
    expect(rows[1]).toMatchObject({ held_out: true });
  });

  test('makeRows() states no rate, when every episode was masked', () => {
    const masked = { depth: 0, scored: 0, flagged: 0, masked: 3, passed: 0, mean_reward: null };
    expect(makeRows('base', report(masked))[0]).toMatchObject({ pass_rate: null, ci_high: null, mean_reward: null });
  });
});

describe('makeLines()', () => {
  test('makeLines() puts stages side by side, when one is missing too', () => {
    const lines = makeLines([...makeRows('base', report(cell(0, 0, 0))), ...makeRows('sft', report(cell(0, 5, 1)))]);
    expect(formatTable(lines, lineColumns)[2]).toBe(
      'D0     trained   0/5 (0–43 %)  0.00         5/5 (57–100 %)  1.00        -     -',
    );
  });
});
