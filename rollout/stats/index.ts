// Intervals
export { type BootstrapOptions, bootstrapInterval, bootstrapStatistic, type Cluster, type Sums } from './bootstrap.ts';
// Tests
export { fisherExact } from './fisher.ts';
export { holmAdjust } from './holm.ts';
export { mcnemarExact } from './mcnemar.ts';
export { type Pair, type PairedDifference, pairedBootstrap } from './paired.ts';
// Estimates
export { passAtK, passHatK } from './pass-at-k.ts';
// Planning
export { type PowerOptions, tasksForDifference, tasksForPairedDifference } from './power.ts';
export { median, quantile } from './quantile.ts';
export { dPrime } from './sensitivity.ts';
export { type Interval, wilsonInterval } from './wilson.ts';
