export { readJsonLines } from './jsonl.ts';
export { formatTracePlace, readRecords, readTrace, traceError } from './read.ts';
export { type RolloutRecord, rolloutRecordSchema, type TraceRecord, traceRecordSchema } from './record.ts';
