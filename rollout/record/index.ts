export { readJsonLines } from './jsonl.ts';
export { readRecords, readTrace } from './read.ts';
export { type RolloutRecord, rolloutRecordSchema, type TraceRecord, traceRecordSchema } from './record.ts';
