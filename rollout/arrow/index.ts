// Reading and writing IPC streams
export { type ArrowRead, readArrow } from './read.ts';
// Rows of the tables
export { makeEpisodeRow, makeStepRows } from './rows.ts';
export type { TableName } from './schema.ts';
export { type Row, writeArrow } from './write.ts';
