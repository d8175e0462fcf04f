// Parquet
export { createParquet } from './parquet.ts';
// Reading and writing IPC streams
export { type ArrowRead, readArrow } from './read.ts';
// Rows of the tables
export { makeEpisodeRow, makeEventRows, makeStepRows, makeTaskRow, makeTurnRows } from './rows.ts';
export type { TableName } from './schema.ts';
export { type ArrowFile, createArrow, type Row, writeArrow } from './write.ts';
