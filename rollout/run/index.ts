// Whole runs
export type { RunSummary, Throughput } from './derive.ts';
// One episode again
export { type ReplayResult, replayEpisode, type StepDifference } from './replay.ts';
export { type RunOptions, runEpisodes } from './run.ts';
