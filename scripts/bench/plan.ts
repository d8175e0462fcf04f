import type { Figure } from './figure.ts';

/** How much a benchmark run measures. */
export interface BenchPlan {
  /** Passes over the 25-cell grid, each beside one of the floor. */
  readonly gridPasses: number;
  readonly resets: number;
  readonly steps: number;
  /** Episodes that live at once. */
  readonly live: number;
  /** Seconds for a throughput that is measured in one process. */
  readonly seconds: number;
  readonly batches: number;
}

export const quickPlan: BenchPlan = { gridPasses: 3, resets: 16, steps: 50, live: 100, seconds: 0.5, batches: 1 };
export const fullPlan: BenchPlan = { gridPasses: 9, resets: 64, steps: 200, live: 1_000, seconds: 2, batches: 5 };

/** Measures one or more figures that belong together. */
export type Measure = (plan: BenchPlan) => Promise<readonly Figure[]>;
