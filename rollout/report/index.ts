// Figures
export type { Axes, Cell, Figures, Truncations } from './cell.ts';
// Tables for people
export { formatHeading, gridLegend, makeGrid } from './grid.ts';
// Records to report on
export { type RecordSource, readRecordSource } from './read-source.ts';
export { type Summary, summarize, summarizePolicy } from './summary.ts';
export { formatMarkdown, formatText, type Table } from './table.ts';
