import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRecordSource } from '../read-source.ts';
import { listReferenceFiles, type PublishedName, publishedTables, referenceFolder } from './index.ts';
import { readAbsentTables, readPublished } from './published.ts';
import { type RemadeTable, remakeTable } from './remake.ts';
import type { RlRow } from './rl-table.ts';
import { makeRemadeSection } from './sections.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-study-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const remake = async (table: PublishedName, paths: readonly string[]) =>
  remakeTable(table, await Promise.all(paths.map(readRecordSource)));

/** A file of the study's form. */
function write(name: string, records: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

const cellsOf = ({ rows }: RemadeTable) =>
  Object.fromEntries(rows.map(({ subject, label, cells }) => [`${subject} ${label}`, cells.map(({ text }) => text)]));

/** Fifteen runs a depth, as the study's grid has them, of which the first `passed` pass. */
function cliffRuns(model: string, passed: readonly number[]): readonly object[] {
  return passed.flatMap((count, depth) =>
    [1, 2, 4, 8, 16].flatMap((n, row) =>
      [1, 2, 3].map((seed, column) => ({
        model,
        depth,
        n,
        seed,
        passed: row * 3 + column < count,
        score: 0,
        error: null,
      })),
    ),
  );
}

const reference = existsSync(join(referenceFolder(), 'cliff_h100.jsonl'));
const why = reference
  ? ''
  : ` (skipped: no raw records in ${referenceFolder()}; MUXGYM_REFERENCE_DATA names their folder)`;

describe.skipIf(!reference)(`remakeTable() from the raw records${why}`, { timeout: 60_000 }, () => {
  test.each(publishedTables)('has the bytes of the published records, when the table is %s', (table) => {
    const { files } = readPublished(table);
    const paths = listReferenceFiles(table);
    for (const [index, { name, sha256, records }] of files.entries()) {
      const bytes = readFileSync(paths[index]!);
      expect(createHash('sha256').update(bytes).digest('hex'), name).toBe(sha256);
      expect(bytes.toString().trimEnd().split('\n'), name).toHaveLength(records);
    }
  });

  test.each([
    ['cliff', 40],
    ['suite', 24],
    ['rl', 16],
  ] as const)('makes every published cell of %s again, to the character', async (table, count) => {
    const remade = await remake(table, listReferenceFiles(table));
    expect(remade).toMatchObject({ differences: [], missing: [], changed_files: [] });
    expect(remade.rows.flatMap(({ cells }) => cells).filter(({ ok }) => ok === true)).toHaveLength(count);
  });

  test('makes the cliff table of the size ladder as the study prints it', async () => {
    const remade = await remake('cliff', listReferenceFiles('cliff'));
    expect(cellsOf(remade)).toMatchObject({
      'Qwen/Qwen2.5-7B-Instruct Qwen2.5-7B': ['93%', '33%', '0%', '0%', '0%'],
      'openai/gpt-4.1 gpt-4.1': ['100%', '67%', '40%', '47%', '0%'],
    });
  });

  test('gives Fisher 1.3e-8 beside the 3e-6 of the study, when 0 of 15 stand against 15 of 15', async () => {
    const remade = await remake('rl', listReferenceFiles('rl'));
    const row = remade.rows.find(({ subject, label }) => subject === 'held-out' && label === 'D3') as RlRow;
    expect(row.fisher).toBeCloseTo(1.289e-8, 11);
    expect(row).toMatchObject({ moved: true, held_out: true, printed_fisher: 3e-6 });
    const { notes } = makeRemadeSection(remade);
    expect(notes.some((note) => note.includes('0/15 against 15/15 gives 1.3e-8'))).toBe(true);
  });

  test.each([
    ['cliff', 'cliff_h100.jsonl', (line: string) => line.replace('"passed": false', '"passed": true')],
    ['cliff', 'cliff_openrouter.jsonl', () => null],
    ['suite', 'suite_h100.jsonl', (line: string) => line.replace('"category": "A', '"category": "B')],
    ['rl', 'rl/eval_cliff_heldout_grpo.jsonl', (line: string) => line.replace('"passed": true', '"passed": false')],
  ] as const)('notices one changed record, when it stands in %s, %s', async (table, name, change) => {
    const lines = readFileSync(join(referenceFolder(), name), 'utf8').trimEnd().split('\n');
    const index = lines.findIndex((line) => change(line) !== line);
    const changed = change(lines[index]!);
    lines.splice(index, 1, ...(changed === null ? [] : [changed]));
    const planted = join(folder, basename(name));
    writeFileSync(planted, `${lines.join('\n')}\n`);
    const paths = listReferenceFiles(table).map((path) => (basename(path) === basename(name) ? planted : path));
    const remade = await remake(table, paths);
    expect(remade.differences.length).toBeGreaterThan(0);
    expect(remade.changed_files).toEqual([planted]);
  });
});

describe('remakeTable()', { timeout: 60_000 }, () => {
  test('compares the models that it has and names those that it lacks, when only some records are given', async () => {
    const path = write('some.jsonl', cliffRuns('openai/gpt-4o', [15, 10, 7, 3, 0]));
    const remade = await remake('cliff', [path]);
    expect(remade.differences).toEqual([]);
    expect(remade.rows.map(({ label }) => label)).toEqual(['gpt-4o']);
    expect(remade.missing).toContain('gpt-4.1');
  });

  test('names row, column and both figures, when one run passed that had not', async () => {
    const remade = await remake('cliff', [write('one.jsonl', cliffRuns('openai/gpt-4o', [15, 10, 8, 3, 0]))]);
    expect(remade.differences).toEqual([{ row: 'gpt-4o', column: 'D2', published: '47% (7/15)', found: '53% (8/15)' }]);
  });

  test('notices a lost run that leaves the rounded figure as it is', async () => {
    const runs = cliffRuns('openai/gpt-4o', [15, 10, 7, 3, 0]).slice(0, -1);
    const remade = await remake('cliff', [write('lost.jsonl', runs)]);
    expect(remade.differences).toEqual([{ row: 'gpt-4o', column: 'D4', published: '0% (0/15)', found: '0% (0/14)' }]);
  });

  test('leaves runs out that ended in an error of the harness', async () => {
    const [first, ...runs] = cliffRuns('other', [15]);
    const remade = await remake('cliff', [write('error.jsonl', [{ ...first, error: 'timeout' }, ...runs])]);
    expect(remade.rows[0]?.cells[0]).toMatchObject({ count: 14, n: 14, ok: null });
  });

  test('throws E_TABLE, when records of a training have no known place', async () => {
    const path = write('unknown.jsonl', cliffRuns('grpo', [1]));
    await expect(remake('rl', [path])).rejects.toMatchObject({ code: 'E_TABLE' });
  });

  test('throws E_RECORD with the line, when a later line is no record of the study', async () => {
    const path = write('broken.jsonl', [...cliffRuns('m', [1]), { model: 'm' }]);
    await expect(readRecordSource(path)).rejects.toMatchObject({
      code: 'E_RECORD',
      facts: { where: expect.stringMatching(/:16$/) },
    });
  });
});

describe('readPublished()', { timeout: 60_000 }, () => {
  test.each(publishedTables)('reads the committed table, when it is %s', (table) => {
    expect(readPublished(table).rows.length).toBeGreaterThan(4);
  });

  test('names the tables without raw records', () => {
    expect(readAbsentTables().map(({ name }) => name)).toEqual(['21-model', 'fusion', 'native-scaffold']);
  });
});
