import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError } from '../../env/index.ts';
import { readJsonLines } from './jsonl.ts';
import { type RolloutRecord, rolloutRecordSchema, type TraceRecord, traceRecordSchema } from './record.ts';

/**
 * All records of an `episodes.jsonl`, the last one of each episode, in the order of the file. `onTorn` is told of a
 * torn last line. Throws an InputError (`E_RECORD`) for other lines that are no records.
 */
export async function readRecords(path: string, onTorn?: (offset: number) => void): Promise<readonly RolloutRecord[]> {
  const records = new Map<string, RolloutRecord>();
  const options = onTorn === undefined ? {} : { onTorn };
  for await (const { value } of readJsonLines(path, rolloutRecordSchema, options)) records.set(value.episode, value);
  return [...records.values()];
}

/** How `record.trace` names a line of `traces.jsonl`: by its first byte. */
export function formatTracePlace(offset: number): string {
  return `traces.jsonl#${offset}`;
}

/** The trace of one record, whose `trace` is relative to the folder of `episodesFile`. Throws `E_TRACE`. */
export async function readTrace(episodesFile: string, record: RolloutRecord): Promise<TraceRecord> {
  const path = join(dirname(episodesFile), 'traces.jsonl');
  const offset = Number(/^traces\.jsonl#(\d+)$/.exec(record.trace)?.[1] ?? Number.NaN);
  if (Number.isNaN(offset) || !existsSync(path)) throw traceError(record, path);
  for await (const { value } of readJsonLines(path, traceRecordSchema, { from: offset })) {
    if (value.episode === record.episode && value.attempt === record.attempt) return value;
    break;
  }
  throw traceError(record, path);
}

/** For a record whose trace is not where it should be. */
export function traceError(record: RolloutRecord, path: string): InputError {
  return new InputError({
    code: 'E_TRACE',
    what: `Cannot read the trace of episode "${record.episode}"`,
    where: path,
    expected: `its line at ${record.trace}`,
    found: 'another, or none',
  });
}
