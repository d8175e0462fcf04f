// Limits and measures of a run
export type { BudgetLimits, BudgetStop, Price } from './budget.ts';
export { formatTimeUse } from './effort.ts';
// Several runs as one
export { type MergeOptions, mergeRuns } from './merge.ts';
// Whole runs
export { isRunFinished } from './recorded-summary.ts';
// One episode again
export { type ReplayResult, type ReplaySummary, replayEpisode, replayRun, type StepDifference } from './replay.ts';
export { runEpisodes } from './run.ts';
export type { RunOptions } from './run-options.ts';
export type { RunSummary } from './run-summary.ts';
export type { Throughput } from './throughput.ts';
export type { TimeUse } from './time-use.ts';
// Files
export { writeFileDurably } from './write-file.ts';
