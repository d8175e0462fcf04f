import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../env/index.ts';
import { readArrow } from '../arrow/index.ts';
import { type RolloutRecord, readRecords, rolloutRecordSchema } from '../record/index.ts';
import { isStudyFile, readStudyFile, type StudyFile } from './study/study-record.ts';

/** Records to report on, and what was wrong with the file that did not keep them from being read. */
export interface RecordSource {
  /** The file. */
  readonly file: string;
  /** Our own; empty where the file holds the study's. */
  readonly records: readonly RolloutRecord[];
  /** Raw records of the published study, or null. */
  readonly study: StudyFile | null;
  /** How the model was asked, by the run's `config.json`; null where it is not known or no model played. */
  readonly loop: string | null;
  /** A torn end (`E_RECORD_TORN`, `E_ARROW_CUT`), or null. */
  readonly cut: InputError | null;
}

/**
 * Reads the records of a run folder, an `episodes.jsonl`, an episodes table in Arrow, or raw records of the study.
 * Throws an InputError where there is none (`E_RUN`) or a line or the table is no record.
 */
export async function readRecordSource(path: string): Promise<RecordSource> {
  if (!existsSync(path)) throw sourceError(path, 'nothing there');
  const file = statSync(path).isDirectory() ? join(path, 'episodes.jsonl') : path;
  if (!existsSync(file)) throw sourceError(path, 'a folder without episodes.jsonl');
  if (file.endsWith('.arrow')) return await readTable(file);
  return isStudyFile(file) ? await readStudy(file) : await readLines(file);
}

async function readLines(file: string): Promise<RecordSource> {
  let cut: InputError | null = null;
  const records = await readRecords(file, (offset) => {
    cut = tornError(file, offset);
  });
  return { file, records, study: null, loop: readLoop(file), cut };
}

async function readStudy(file: string): Promise<RecordSource> {
  let cut: InputError | null = null;
  const study = await readStudyFile(file, (offset) => {
    cut = tornError(file, offset);
  });
  return { file, records: [], study, loop: null, cut };
}

function tornError(file: string, offset: number): InputError {
  return new InputError({
    code: 'E_RECORD_TORN',
    what: 'The last line of a file of records is torn',
    where: `${file}, byte ${offset}`,
    expected: 'a line feed at its end',
    found: 'the end of the file',
    hint: 'the episodes before it are all there; running the eval again repairs the file',
  });
}

async function readTable(file: string): Promise<RecordSource> {
  const { table, cut } = await readArrow(file);
  if (table.schema.metadata.get('muxgym.table') !== 'episodes') {
    throw sourceError(file, 'a table of something else', 'an episodes table (rollouts.arrow)');
  }
  const records = table.toArray().map((row) => rolloutRecordSchema.parse({ schema: 1, ...toPlain(row) }));
  return { file, records, study: null, loop: readLoop(file), cut };
}

const loopSchema = z.object({ config: z.object({ loop: z.string().nullable().optional() }) });

/** A file of records may stand alone; then the loop is not known. */
function readLoop(file: string): string | null {
  const path = join(dirname(file), 'config.json');
  if (!existsSync(path)) return null;
  const parsed = loopSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  return parsed.success ? (parsed.data.config.loop ?? null) : null;
}

/** Arrow's rows as JSON has them; seeds and sizes are exact up to 2^53 - 1, the bound of every record. */
function toPlain(row: unknown): object {
  const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  return JSON.parse(text) as object;
}

function sourceError(where: string, found: string, expected = 'a run folder, an episodes.jsonl or a rollouts.arrow') {
  return new InputError({ code: 'E_RUN', what: 'Cannot report on a run', where, expected, found });
}
