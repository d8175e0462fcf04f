import { describe, expect, test } from 'vitest';
import type { RolloutRecord } from '../record/index.ts';
import { makeReport, type RecordSource, type Report } from './index.ts';
import { makeEvent, makeEventRecord, makeRecord } from './record.test-double.ts';

const source = (file: string, records: readonly RolloutRecord[]): RecordSource => {
  return { file, records, study: null, loop: null, cut: null };
};
const study = { sha256: '', records: [{ model: 'm', depth: 0, n: 1, seed: 1, passed: true, score: 1, error: null }] };
const notesOf = ({ parts }: Report) =>
  parts.flatMap(({ sections }) => sections.flatMap(({ notes }) => notes)).join('\n');

const run = (policy: string, passed: readonly number[]) =>
  passed.flatMap((count, depth) =>
    Array.from({ length: 15 }, (_, seed) =>
      makeRecord({ policy, depth, ops: 1 + (seed % 3), task_hash: `d${depth}s${seed}`, passed: seed < count }),
    ),
  );

describe('makeReport()', { timeout: 60_000 }, () => {
  test('makes a training table of two runs, the first as the base', () => {
    const sources = [source('base', run('base', [0, 0])), source('trained', run('trained', [15, 2]))];
    const { parts, data, differences } = makeReport(sources, 'rl');
    expect(differences).toBe(0);
    expect(parts).toHaveLength(1);
    expect(data).toMatchObject({
      absent: [],
      tables: [
        {
          published: null,
          rows: [
            { label: 'D0', moved: true },
            { label: 'D1', moved: false, held_out: null },
          ],
        },
      ],
    });
  });

  test('throws E_TABLE, when a training table gets one run, or ours and the study’s are mixed', () => {
    const one = source('base', run('base', [0]));
    expect(() => makeReport([one], 'rl')).toThrow(expect.objectContaining({ code: 'E_TABLE' }));
    expect(() => makeReport([one, { ...one, records: [], study }], 'cliff')).toThrow(/both/);
    expect(() => makeReport([one], 'suite')).toThrow(expect.objectContaining({ code: 'E_TABLE' }));
  });

  test('shows pass@k and pass^k, and how events were delivered, when they apply', () => {
    const samples = [0, 1].map((sample) =>
      makeEventRecord(1, [makeEvent(sample === 0 ? 'handled' : 'late')], { sample }),
    );
    const notes = notesOf(makeReport([source('a', samples)], null));
    expect(notes).toContain('pass@1 50.0 %, pass@2 100.0 %, pass^1 50.0 %, pass^2 0.0 %');
    expect(notes).toContain('delivery poll, clock virtual');
  });

  test('says so, when a run has no episode', () => {
    expect(makeReport([source('empty', [])], null).parts[0]?.heading).toBe('empty: no episodes');
  });

  test.each(['h1', 'h2', 'cross'] as const)('makes %s of each policy, over all sources', (table) => {
    const records = (model: string) => [makeEventRecord(1, [makeEvent('handled')], { model })];
    const report = makeReport([source('a', records('m')), source('b', records('n'))], table);
    expect(report.parts).toHaveLength(table === 'cross' ? 1 : 2);
    expect(JSON.stringify(report.data)).not.toMatch(/NaN|Infinity/);
  });
});
