import { describe, expect, test } from 'vitest';
import type { RolloutRecord } from '../record/index.ts';
import { formatMarkdown, formatText, makeGrid, summarize } from './index.ts';
import { makeRecord as record } from './record.test-double.ts';

const masked = { outcome: 'masked', reward: null, boundary: 'tmux', failure: 'gone' } as const;
const times = (count: number, fields: Partial<RolloutRecord>) => Array.from({ length: count }, () => record(fields));

describe('summarize()', { timeout: 60_000 }, () => {
  test('leaves masked episodes out of every rate and mean, and counts them apart', () => {
    const [summary] = summarize([
      ...times(3, { passed: true }),
      record({ reward: 0.5 }),
      record({ ...masked, format_failures: 5, truncated_by: 'context' }),
    ]);
    expect(summary?.totals).toMatchObject({ episodes: 5, scored: 4, flagged: 0, masked: 1, passed: 3 });
    expect(summary?.totals).toMatchObject({ pass_rate: 0.75, mean_reward: 0.875, format_failures: 0, truncated: 0 });
  });

  test('gives null rates, never 0 or NaN, when all episodes are masked', () => {
    const [summary] = summarize(times(2, masked));
    const none = { masked: 2, pass_rate: null, ci_low: null, ci_high: null, ci_method: null, mean_reward: null };
    expect(summary?.cells[0]).toMatchObject(none);
    expect(summary?.totals).toMatchObject(none);
    expect(JSON.stringify(summary)).not.toMatch(/NaN|Infinity/);
  });

  test('counts a flagged episode as not passed, with reward 0', () => {
    const [summary] = summarize([record({ passed: true }), record({ outcome: 'flagged', flags: ['X'] })]);
    expect(summary?.totals).toMatchObject({ scored: 1, flagged: 1, pass_rate: 0.5, mean_reward: 0.5 });
  });

  test('shows the upper bound, when none of n passes', () => {
    const [summary] = summarize(times(15, {}));
    expect(summary?.totals).toMatchObject({ pass_rate: 0, ci_low: 0, ci_method: 'wilson' });
    expect(summary?.totals.ci_high).toBeCloseTo(0.204, 3);
  });

  test('weighs op-counts alike by depth and episodes alike in total', () => {
    const [summary] = summarize([...times(8, { ops: 1, passed: true }), ...times(2, { ops: 16 })]);
    expect(summary?.by_depth[0]).toMatchObject({ depth: 0, ops: null, pass_rate: 0.5, ci_method: 'wilson' });
    expect(summary?.totals).toMatchObject({ pass_rate: 0.8, suite: 'cliff', depth: 0, ops: null });
  });

  test('draws tasks within cells, when they went differently', () => {
    const [summary] = summarize([...times(8, { passed: true }), ...times(2, {}), ...times(4, { ops: 2 })]);
    expect(summary?.by_depth[0]).toMatchObject({ pass_rate: 0.4, ci_method: 'bootstrap' });
    expect(summary?.by_depth[0]?.ci_low).toBeCloseTo(0.25, 1);
    expect(summary?.by_depth[0]?.ci_high).toBeCloseTo(0.5, 1);
  });

  test('keeps cells apart and in order, and policies and models too', () => {
    const cells = [record({ depth: 1, ops: 2 }), record({ depth: 0, ops: 16 }), record({ depth: 0, ops: 2 })];
    const [first, second] = summarize([...cells, record({ model: 'm' })]);
    expect(first?.cells.map(({ depth, ops }) => [depth, ops])).toEqual([
      [0, 2],
      [0, 16],
      [1, 2],
    ]);
    expect(second).toMatchObject({ policy: 'p', model: 'm', totals: { episodes: 1 } });
  });

  test('estimates pass@k, when tasks have several samples', () => {
    const [summary] = summarize([
      ...[true, false, false, false].map((passed, sample) => record({ task_hash: 'a', sample, passed })),
      ...[false, false, false, false].map((passed, sample) => record({ task_hash: 'b', sample, passed })),
    ]);
    expect(summary?.totals.pass_at_k).toEqual({ 1: 0.125, 4: 0.5 });
    expect(summary?.totals.pass_hat_k).toEqual({ 1: 0.125, 4: 0 });
    expect(summarize(times(2, {}))[0]?.totals.pass_at_k).toBeNull();
  });
});

describe('makeGrid()', { timeout: 60_000 }, () => {
  const [summary] = summarize([
    record({ depth: 0, ops: 1, passed: true }),
    record({ depth: 0, ops: 16, truncated_by: 'steps' }),
    record({ depth: 3, ops: 1, passed: true }),
    record({ depth: null, ops: null, suite: 'events', kind: 'bell', level: 0, arm: 'event' }),
  ]);

  test('shows passed/n for each depth and op-count, the rate with its interval, and running out of steps', () => {
    expect(formatText(makeGrid(summary!))).toMatchInlineSnapshot(`
      "suite                 depth  N=1  N=16  passed  pass rate               95 %  reward  format  out of steps  cut  flagged  masked
      --------------------  -----  ---  ----  ------  ---------  -----------------  ------  ------  ------------  ---  -------  ------
      cliff                 D0     1/1   0/1     1/2     50.0 %    9.5 % to 90.5 %   0.500       0             1    0        0       0
      cliff                 D3     1/1     -     1/1    100.0 %  20.7 % to 100.0 %   1.000       0             0    0        0       0
      events bell E0 event                       0/1      0.0 %    0.0 % to 79.3 %   0.000       0             0    0        0       0
      all                                        2/4     50.0 %   15.0 % to 85.0 %   0.500       0             1    0        0       0"
    `);
  });

  test('makes a markdown table of the same rows', () => {
    const lines = formatMarkdown(makeGrid(summary!)).split('\n');
    expect(lines).toHaveLength(6);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(lines[1]).toMatch(/^\| :-+ \| :-+ \|( -+: \|)+$/);
  });
});
