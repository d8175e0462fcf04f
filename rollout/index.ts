// Arrow tables
export { type ArrowRead, type Row, readArrow, type TableName, writeArrow } from './arrow/index.ts';
// Models
export {
  type Answer,
  type ChatMessage,
  type ChatRequest,
  type Completion,
  connectOpenAi,
  type ModelClient,
} from './client/index.ts';
export {
  type ModelServer,
  type ModelServerOptions,
  type ServerKind,
  serverKinds,
  startModelServer,
} from './client/server/index.ts';
// Exports
export {
  type ExportFormat,
  type ExportSource,
  exportData,
  exportFormats,
  isRunFolder,
  makeTaskSource,
  readRunSource,
} from './export/index.ts';
// A ladder of models
export {
  type Ladder,
  type LadderSummary,
  makeLadderTable,
  readLadder,
  runLadder,
} from './ladder/index.ts';
// Reading answers
export { loopNames, parseScriptBlock, type ScriptBlock } from './loop/index.ts';
// Policies
export { isModelPolicy, type ModelOptions, makePolicy, type Policy, policyForms } from './policy/index.ts';
// Records
export { type RolloutRecord, readRecords } from './record/index.ts';
// The red team
export {
  type FuzzFinding,
  type FuzzOptions,
  type FuzzReport,
  type RedTeamOptions,
  type RedTeamRow,
  runFuzz,
  runRedTeam,
  selectExploits,
} from './redteam/index.ts';
// Figures and tables
export {
  type Cell,
  type Comparison,
  compareRuns,
  countIncomparable,
  formatHeading,
  formatHtml,
  formatMarkdown,
  formatSections,
  formatText,
  gridLegend,
  listReferenceFiles,
  makeComparisonSections,
  makeGrid,
  makeReport,
  type Part,
  type PublishedName,
  publishedTables,
  type RecordSource,
  type Report,
  type ReportTable,
  readRecordSource,
  reportTables,
  type Section,
  type Summary,
  summarize,
  type Table,
} from './report/index.ts';
// Runs
export {
  type BudgetLimits,
  formatTimeUse,
  mergeRuns,
  type Price,
  type ReplayResult,
  type ReplaySummary,
  type RunOptions,
  type RunSummary,
  replayEpisode,
  replayRun,
  runEpisodes,
} from './run/index.ts';
// Statistics
export { bootstrapInterval, fisherExact, passAtK, wilsonInterval } from './stats/index.ts';
