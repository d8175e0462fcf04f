// Figures
export type { Axes, Cell, Figures, Truncations } from './cell.ts';
// Tables for people
export { formatHeading, gridLegend, makeGrid } from './grid.ts';
export { type Summary, summarize } from './summary.ts';
export { formatMarkdown, formatText, type Table } from './table.ts';
