import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../env/index.ts';
import { readArrow } from '../arrow/index.ts';
import { type RolloutRecord, readRecords, rolloutRecordSchema } from '../record/index.ts';

/** Records to report on, and what was wrong with the file that did not keep them from being read. */
export interface RecordSource {
  /** The file. */
  readonly file: string;
  readonly records: readonly RolloutRecord[];
  /** A torn end (`E_RECORD_TORN`, `E_ARROW_CUT`), or null. */
  readonly cut: InputError | null;
}

/**
 * Reads the records of a run folder, an `episodes.jsonl` or an episodes table in Arrow. Throws an InputError where
 * there is none (`E_RUN`) or a line or the table is no record.
 */
export async function readRecordSource(path: string): Promise<RecordSource> {
  if (!existsSync(path)) throw sourceError(path, 'nothing there');
  const file = statSync(path).isDirectory() ? join(path, 'episodes.jsonl') : path;
  if (!existsSync(file)) throw sourceError(path, 'a folder without episodes.jsonl');
  return file.endsWith('.arrow') ? await readTable(file) : await readLines(file);
}

async function readLines(file: string): Promise<RecordSource> {
  let cut: InputError | null = null;
  const records = await readRecords(file, (offset) => {
    cut = new InputError({
      code: 'E_RECORD_TORN',
      what: 'The last line of a file of records is torn',
      where: `${file}, byte ${offset}`,
      expected: 'a line feed at its end',
      found: 'the end of the file',
      hint: 'the episodes before it are all there; running the eval again repairs the file',
    });
  });
  return { file, records, cut };
}

async function readTable(file: string): Promise<RecordSource> {
  const { table, cut } = await readArrow(file);
  if (table.schema.metadata.get('muxgym.table') !== 'episodes') {
    throw sourceError(file, 'a table of something else', 'an episodes table (rollouts.arrow)');
  }
  const records = table.toArray().map((row) => rolloutRecordSchema.parse({ schema: 1, ...toPlain(row) }));
  return { file, records, cut };
}

/** Arrow's rows as JSON has them; seeds and sizes are exact up to 2^53 - 1, the bound of every record. */
function toPlain(row: unknown): object {
  const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  return JSON.parse(text) as object;
}

function sourceError(where: string, found: string, expected = 'a run folder, an episodes.jsonl or a rollouts.arrow') {
  return new InputError({ code: 'E_RUN', what: 'Cannot report on a run', where, expected, found });
}
