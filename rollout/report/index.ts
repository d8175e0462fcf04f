// Comparing two runs

// Figures
export type { Axes, Cell, Figures, Truncations } from './cell.ts';
export { type ComparedInput, type Comparison, compareRuns, countIncomparable } from './comparison.ts';
export { makeComparisonSections } from './comparison-sections.ts';
// For people
export { formatSections } from './format-sections.ts';
export { formatHeading, gridLegend, makeGrid } from './grid.ts';
export { formatHtml, type Page } from './html/page.ts';
// Records to report on
export { type RecordSource, readRecordSource } from './read-source.ts';
// Whole reports
export { makeReport, type Report, type ReportTable, reportTables } from './report.ts';
export type { Chart, Part, Section } from './section.ts';
// Tables of the study
export { listReferenceFiles, type PublishedName, publishedTables } from './study/index.ts';
export { type Summary, summarize, summarizePolicy } from './summary.ts';
export { formatMarkdown, formatText, type Table } from './table.ts';
