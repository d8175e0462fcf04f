import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeVector, RecordBatchFileWriter, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rolloutRecordSchema, traceRecordSchema } from '../record/index.ts';
import { encodeColumn } from './column.ts';
import { createArrow, makeTurnRows, type Row, readArrow, writeArrow } from './index.ts';
import { makeSchema } from './schema.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-arrow-'));
  path = join(folder, 'table.arrow');
});
afterEach(() => rmSync(folder, { recursive: true }));

const check = { id: 'c', role: 'state', event: null, value: '✓ né', note: null, ok: true, score: 0.5, weight: 1 };
const plain: Row = {
  ...{ episode: 'e', task: 't', task_hash: 'h', suite: 'cliff', pillar: 'cliff', depth: 1, ops: 2, sample: 0 },
  ...{ attempt: 0, seed: 7, policy: 'oracle', trace: 'traces.jsonl#0', outcome: 'scored', reward: 0.25, passed: false },
  ...{ flags: [], checks: [check], events: [], steps: 2, ticks: 2, wall_ticks: 0, reproducible: true },
  ...{ format_failures: 0, sandbox: 'bare', tmux_version: '3.3a', observation_hash: 'a', observation_hash_raw: 'b' },
  ...{ replaced_bytes: 0, timings: { reset_ms: 1, step_ms: 2.5, grade_ms: 3, policy_ms: 4, model_ms: 0, queue_ms: 0 } },
};

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ ...plain, seed: index }));
const toPlain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)));

describe('writeArrow()', () => {
  test('gives back every field, when read again', async () => {
    expect(await writeArrow(path, 'episodes', [plain])).toBe(1);
    const { table, cut } = await readArrow(path);
    expect(cut).toBeNull();
    expect(toPlain(table.get(0))).toMatchObject({
      ...{ episode: 'e', depth: 1, seed: '7', reward: 0.25, passed: false, model: null, flags: [], events: [] },
      ...{
        checks: [check],
        timings: { reset_ms: 1, step_ms: 2.5, grade_ms: 3, policy_ms: 4, model_ms: 0, queue_ms: 0 },
      },
    });
    expect(table.schema.metadata.get('muxgym.schema')).toBe('2');
  });

  test('keeps every type, when there is no row or all values are null', async () => {
    await writeArrow(path, 'turns', []);
    const empty = await readArrow(path);
    await writeArrow(path, 'turns', [{ episode: 'e', task_hash: 'h', sample: 0, attempt: 0, turn: 1, messages: [] }]);
    const nulls = await readArrow(path);
    expect(empty.table.numRows).toBe(0);
    expect(String(empty.table.schema)).toBe(String(makeSchema('turns')));
    expect(String(nulls.table.schema)).toBe(String(makeSchema('turns')));
    expect(nulls.table.getChild('prompt_ids')?.get(0)).toBeNull();
  });

  test('keeps seeds exact up to 2^53 - 1 and refuses what a number cannot hold', async () => {
    const seed = Number.MAX_SAFE_INTEGER;
    await writeArrow(path, 'episodes', [
      { ...plain, seed },
      { ...plain, seed: 9_007_199_254_740_993n },
    ]);
    const column = (await readArrow(path)).table.getChild('seed');
    expect(column?.get(0)).toBe(9_007_199_254_740_991n);
    expect(column?.get(1)).toBe(9_007_199_254_740_993n);
    await expect(writeArrow(path, 'episodes', [{ ...plain, seed: 2 ** 53 }])).rejects.toThrow(RangeError);
    await expect(writeArrow(path, 'episodes', [{ ...plain, ticks: 2 ** 31 }])).rejects.toThrow(RangeError);
  });

  test('leaves the old table and no draft, when a row cannot be encoded', async () => {
    await writeArrow(path, 'episodes', [plain]);
    const before = readFileSync(path);
    await expect(writeArrow(path, 'episodes', [{ ...plain, ticks: 0.5 }])).rejects.toThrow(RangeError);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(() => readFileSync(`${path}.tmp`)).toThrow(/ENOENT/);
  });
});

describe('readArrow()', () => {
  test('reads up to the last whole batch and says E_ARROW_CUT, when the file is cut in half', async () => {
    await writeArrow(path, 'episodes', rowsOf(3_500));
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    const { table, cut } = await readArrow(path);
    expect(table.numRows).toBeGreaterThan(1_000);
    expect(table.numRows).toBeLessThan(1_750);
    expect(cut).toMatchObject({ code: 'E_ARROW_CUT', message: expect.stringContaining(`${table.numRows} whole rows`) });
    expect(cut?.message).toContain(path);
  });

  test('keeps some rows of a small table, when it is cut in half', async () => {
    await writeArrow(path, 'episodes', rowsOf(50));
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    expect((await readArrow(path)).table.numRows).toBe(16);
  });

  test('never throws anything but a coded error nor loses a whole batch, wherever the file is cut', async () => {
    await writeArrow(path, 'episodes', rowsOf(2_000));
    const whole = readFileSync(path);
    const cutPath = join(folder, 'cut.arrow');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (size) => {
        writeFileSync(cutPath, whole.subarray(0, size));
        const result = await readArrow(cutPath).catch((error: unknown) => ({ cut: error, table: null }));
        expect(result.cut).toMatchObject({ code: 'E_ARROW_CUT' });
        if (size > whole.length - 8) expect(result.table?.numRows).toBe(2_000);
      }),
      { numRuns: 30, examples: [[whole.length - 8], [whole.length - 1], [8], [7], [0]] },
    );
  }, 30_000);

  test('names the right call, when the file is in the file format', async () => {
    await writeArrow(path, 'episodes', [plain]);
    const { table } = await readArrow(path);
    writeFileSync(path, RecordBatchFileWriter.writeAll(table).toUint8Array(true));
    await expect(readArrow(path)).rejects.toMatchObject({
      code: 'E_ARROW_FORMAT',
      facts: { hint: expect.stringContaining('open_file') },
    });
  });

  test.each([
    ['random bytes', Buffer.from('hello, world: not arrow')],
    ['an endless message', Buffer.alloc(64, 0xff)],
  ])('throws a coded error, when the file holds %s', async (_, bytes) => {
    writeFileSync(path, bytes);
    await expect(readArrow(path)).rejects.toMatchObject({ code: expect.stringMatching(/^E_ARROW_/) });
  });

  test('reads what apache-arrow itself writes as a stream', async () => {
    await writeArrow(path, 'episodes', rowsOf(3));
    writeFileSync(path, tableToIPC((await readArrow(path)).table, 'stream'));
    expect((await readArrow(path)).cut).toBeNull();
  });
});

describe('encodeColumn()', () => {
  const field = (name: string) => makeSchema('turns').fields.find((entry) => entry.name === name)!;

  test('gives back any text, lone surrogates replaced, when texts meet in one buffer', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.string({ unit: 'binary' }))), (texts) => {
        const vector = makeVector(encodeColumn(field('answer').type, texts));
        const expected = texts.map((text) => (text === null ? null : Buffer.from(text).toString()));
        expect([...vector]).toEqual(expected);
      }),
      { examples: [[['\ud83d', '\ude00']]] },
    );
  });

  test('gives back any lists, when some are null or empty', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.array(fc.integer({ min: 0, max: 50_000 })))), (lists) => {
        const vector = makeVector(encodeColumn(field('prompt_ids').type, lists));
        expect([...vector].map((list) => (list === null ? null : [...list]))).toEqual(lists);
      }),
    );
  });
});

describe('createArrow()', () => {
  test('leaves nothing, when it is dropped before it is published', async () => {
    {
      await using file = createArrow(path, 'episodes');
      for (const row of rowsOf(100)) file.append(row);
      expect(file.rows).toBe(100);
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('makeTurnRows()', () => {
  const turn = (prompt_ids: number[] | null, completion_ids: number[] | null) => ({
    ...{ messages: [], answer: '', finish_reason: 'stop', step: null, format_failure: null, model_ms: 1 },
    ...{ prompt_tokens: null, completion_tokens: null, prompt_ids, completion_ids, logprobs: null },
  });
  const trace = (...turns: ReturnType<typeof turn>[]) =>
    traceRecordSchema.parse({ schema: 1, episode: 'e', attempt: 0, lines: [], turns });
  const record = rolloutRecordSchema.parse({
    ...plain,
    schema: 1,
    split: null,
    boundary: null,
    failure: null,
    truncated_by: null,
  });
  const masks = (...turns: ReturnType<typeof turn>[]) =>
    makeTurnRows(record, trace(...turns)).map((row) => row['mask'] ?? null);

  test('masks what was sampled, in earlier turns too, when the next prompt goes on from the last', () => {
    expect(masks(turn([1, 2], [3]), turn([1, 2, 3, 4], [5, 6]))).toEqual([
      [0, 0, 1],
      [0, 0, 1, 0, 1, 1],
    ]);
  });

  test('masks this answer only, when the prompt was written anew', () => {
    expect(masks(turn([1, 2], [3]), turn([1, 9, 4], [5]))).toEqual([
      [0, 0, 1],
      [0, 0, 0, 1],
    ]);
    expect(masks(turn(null, null), turn([1], [2]))).toEqual([null, [0, 1]]);
  });

  test('fits the table, when masks, ids and messages are written and read', async () => {
    const asked = { ...turn([1], [2]), logprobs: [-0.5], messages: [{ role: 'user', content: 'hi' }] };
    await writeArrow(path, 'turns', makeTurnRows(record, trace(asked as never)));
    const row = toPlain((await readArrow(path)).table.get(0));
    expect(row).toMatchObject({ turn: 1, mask: { 0: 0, 1: 1 }, messages: [{ role: 'user', content: 'hi' }] });
  });
});
