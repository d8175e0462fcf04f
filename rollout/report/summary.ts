import type { RolloutRecord } from '../record/index.ts';
import { type Cell, makeAggregate, makeCell } from './cell.ts';
import { cellKey } from './episode.ts';
import { groupBy } from './group.ts';

/** The figures of one policy. */
export interface Summary {
  readonly policy: string;
  /** Null for scripted policies. */
  readonly model: string | null;
  /** One per combination of suite, pillar, depth, ops, kind, level, arm, count and delegation, sorted. */
  readonly cells: readonly Cell[];
  /** One per suite and depth: op-counts weigh alike (METRICS, "Cliff"). Empty where there is no depth. */
  readonly by_depth: readonly Cell[];
  readonly totals: Cell;
}

/** One summary for each policy and model among the records, in the order in which they appear. */
export function summarize(records: readonly RolloutRecord[]): readonly Summary[] {
  const groups = groupBy(records, ({ policy, model }) => JSON.stringify([policy, model]));
  return [...groups.values()].map((group) => {
    return summarizePolicy({ policy: group[0]?.policy ?? '', model: group[0]?.model ?? null }, group);
  });
}

/** The summary of one policy and model, from its records alone. */
export function summarizePolicy(name: Pick<Summary, 'policy' | 'model'>, records: readonly RolloutRecord[]): Summary {
  const cells = [...groupBy(records, cellKey).values()].map(makeCell).sort(compareCells);
  const deep = records.filter(({ depth }) => depth !== null);
  const depths = [...groupBy(deep, ({ suite, depth }) => JSON.stringify([suite, depth])).values()];
  return {
    ...name,
    cells,
    by_depth: depths.map((group) => makeAggregate(group, 'stratum')).sort(compareCells),
    totals: makeAggregate(records, 'episode'),
  };
}

function compareCells(a: Cell, b: Cell): number {
  for (const key of ['suite', 'pillar', 'depth', 'kind', 'level', 'count', 'delegation', 'arm', 'ops'] as const) {
    const order = compareValues(a[key], b[key]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Null first; text by code unit, so that the order is the same on any machine. */
function compareValues(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}
