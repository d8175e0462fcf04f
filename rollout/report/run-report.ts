import type { RolloutRecord } from '../record/index.ts';
import { gridLegend, makeGrid } from './grid.ts';
import { groupBy } from './group.ts';
import { formatPower, makeMetricSections, toBar } from './metric-sections.ts';
import { type Metrics, makeMetrics } from './metrics.ts';
import { makeRate } from './rate.ts';
import type { Chart, Section } from './section.ts';
import { type Summary, summarizePolicy } from './summary.ts';

/** All figures of one policy and model. */
export interface RunResult extends Summary {
  readonly metrics: Metrics;
}

/** One result for each policy and model among the records, in the order in which they appear. */
export function makeRunResults(records: readonly RolloutRecord[]): readonly RunResult[] {
  const groups = groupBy(records, ({ policy, model }) => JSON.stringify([policy, model]));
  return [...groups.values()].map((group) => {
    const name = { policy: group[0]?.policy ?? '', model: group[0]?.model ?? null };
    return { ...summarizePolicy(name, group), metrics: makeMetrics(group) };
  });
}

/** The tables of one result: the grid of cells first, then every metric. */
export function makeRunSections(result: RunResult): readonly Section[] {
  const power = formatPower(result.metrics);
  const grid: Section = {
    id: 'cells',
    title: 'Cells',
    table: makeGrid(result),
    chart: makeCellChart(result),
    notes: [gridLegend, ...(power === null ? [] : [power])],
  };
  return [grid, ...makeMetricSections(result.metrics)];
}

/** A map of depth by op-count where there are depths, else a bar for each cell. */
function makeCellChart({ cells, by_depth }: Summary): Chart | null {
  if (by_depth.length > 0) {
    const opCounts = [...new Set(cells.flatMap(({ depth, ops }) => (depth === null ? [] : (ops ?? []))))].sort(
      (a, b) => a - b,
    );
    return {
      type: 'heat',
      title: 'Pass rate by depth and op-count',
      columns: opCounts.map((ops) => `N=${ops}`),
      rows: by_depth.map((row) => ({
        label: `${row.suite ?? ''} D${row.depth}`,
        cells: opCounts.map((ops) => {
          const cell = cells.find((one) => one.suite === row.suite && one.depth === row.depth && one.ops === ops);
          if (cell === undefined || cell.pass_rate === null) return null;
          const { passed, scored, flagged, pass_rate: share, ci_low: low, ci_high: high } = cell;
          return { share, low, high, count: `${passed}/${scored + flagged}` };
        }),
      })),
    };
  }
  const bars = cells.map((cell) => {
    const numbers = [cell.level === null ? null : `E${cell.level}`, cell.count === null ? null : `k${cell.count}`];
    const label = [cell.suite, cell.kind, ...numbers, cell.delegation, cell.arm]
      .filter((part) => part !== null)
      .join(' ');
    return toBar(label, makeRate(cell.passed, cell.scored + cell.flagged));
  });
  return bars.length === 0 ? null : { type: 'bars', title: 'Pass rate by cell', bars };
}
