// Writing
export { type ExportFormat, type ExportOptions, type ExportSummary, exportData, exportFormats } from './export.ts';
// What is exported
export { type ExportSource, isRunFolder, makeTaskSource, readRunSource } from './export-source.ts';
