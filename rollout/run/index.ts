// Limits and measures of a run
export type { BudgetLimits, BudgetStop, Price } from './budget.ts';
export { formatTimeUse } from './effort.ts';
// Whole runs
export { isRunFinished } from './is-finished.ts';
// Several runs as one
export { type MergeOptions, mergeRuns } from './merge.ts';
// One episode again
export { type ReplayResult, type ReplaySummary, replayEpisode, replayRun, type StepDifference } from './replay.ts';
export { runEpisodes } from './run.ts';
export type { RunOptions } from './run-options.ts';
export type { RunSummary } from './run-summary.ts';
export type { Throughput } from './throughput.ts';
export type { TimeUse } from './time-use.ts';
// Files
export { writeFileDurably } from './write-file.ts';
