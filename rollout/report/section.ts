import type { Table } from './table.ts';

/** One part of a report: what it says, a table, and pictures where they help. */
export interface Section {
  /** Unique within a report; an anchor in HTML. */
  readonly id: string;
  readonly title: string;
  readonly table: Table | null;
  readonly charts: readonly Chart[];
  /** What the figures mean and leave out, a sentence each. */
  readonly notes: readonly string[];
}

/** A picture of shares in [0, 1]. */
export type Chart = BarChart | HeatMap;

/** Bars with their intervals. */
export interface BarChart {
  readonly type: 'bars';
  readonly title: string;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly label: string;
  readonly share: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** What stands behind the bar, such as `3/15`. */
  readonly count: string;
}

/** A grid of shares; a null cell was not played. */
export interface HeatMap {
  readonly type: 'heat';
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly label: string; readonly cells: readonly (HeatCell | null)[] }[];
}

export interface HeatCell {
  readonly share: number;
  /** The 95 % interval, or null. */
  readonly low: number | null;
  readonly high: number | null;
  readonly count: string;
}

/** Sections under one heading: a run, a policy, a table of the study. */
export interface Part {
  readonly heading: string;
  readonly sections: readonly Section[];
}
