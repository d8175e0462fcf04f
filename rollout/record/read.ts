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

/** The trace of one record, whose `trace` is relative to the folder of `episodesFile`. Throws `E_TRACE`. */
export async function readTrace(episodesFile: string, record: RolloutRecord): Promise<TraceRecord> {
  const match = /^([^/#]+)#(\d+)$/.exec(record.trace);
  if (match?.[1] !== undefined) {
    const path = join(dirname(episodesFile), match[1]);
    for await (const { value } of readJsonLines(path, traceRecordSchema, { from: Number(match[2]) })) {
      if (value.episode === record.episode && value.attempt === record.attempt) return value;
      break;
    }
  }
  throw new InputError({
    code: 'E_TRACE',
    what: `Cannot read the trace of episode "${record.episode}"`,
    where: `${dirname(episodesFile)}/${record.trace}`,
    expected: 'its line in traces.jsonl',
    found: 'another, or none',
  });
}
