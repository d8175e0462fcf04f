// Intervals
export { type BootstrapOptions, bootstrapInterval, type Cluster } from './bootstrap.ts';
// Tests
export { fisherExact } from './fisher.ts';
// Estimates
export { passAtK } from './pass-at-k.ts';
export { type Interval, wilsonInterval } from './wilson.ts';
