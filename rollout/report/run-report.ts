import type { RolloutRecord } from '../record/index.ts';
import type { Cell } from './cell.ts';
import { formatPercent } from './format.ts';
import { cellName, gridLegend, makeGrid } from './grid.ts';
import { groupBy } from './group.ts';
import { formatPower, makeMetricSections, toBar } from './metric-sections.ts';
import { type Metrics, makeMetrics } from './metrics.ts';
import { makeRate } from './rate.ts';
import type { Chart, HeatCell, Section } from './section.ts';
import { type Summary, summarizePolicy } from './summary.ts';

/** All figures of one policy and model. */
export interface RunResult extends Summary {
  readonly metrics: Metrics;
  /** How events reached the agent, in words; empty without events. */
  readonly settings: readonly string[];
}

/** One result for each policy and model among the records, in the order in which they appear. */
export function makeRunResults(records: readonly RolloutRecord[]): readonly RunResult[] {
  const groups = groupBy(records, ({ policy, model }) => JSON.stringify([policy, model]));
  return [...groups.values()].map((group) => {
    const name = { policy: group[0]?.policy ?? '', model: group[0]?.model ?? null };
    return { ...summarizePolicy(name, group), metrics: makeMetrics(group), settings: describeSettings(group) };
  });
}

/** The tables of one result: the grid of cells first, then every metric. */
export function makeRunSections(result: RunResult): readonly Section[] {
  const power = formatPower(result.metrics);
  const grid: Section = {
    id: 'cells',
    title: 'Cells',
    table: makeGrid(result),
    charts: [...makeDepthChart(result), ...makeFlatChart(result)],
    notes: [gridLegend, ...describeSamples(result.totals), ...result.settings, ...(power === null ? [] : [power])],
  };
  return [grid, ...makeMetricSections(result.metrics)];
}

function makeDepthChart({ cells, by_depth }: Summary): readonly Chart[] {
  if (by_depth.length === 0) return [];
  const deep = cells.filter(({ depth }) => depth !== null);
  const opCounts = [...new Set(deep.flatMap(({ ops }) => ops ?? []))].sort((a, b) => a - b);
  const rows = by_depth.map((row) => ({
    label: `${row.suite ?? ''} D${row.depth}`,
    cells: opCounts.map((ops) =>
      toHeatCell(deep.find((one) => one.suite === row.suite && one.depth === row.depth && one.ops === ops)),
    ),
  }));
  return [{ type: 'heat', title: 'Pass rate by depth and op-count', columns: opCounts.map((ops) => `N=${ops}`), rows }];
}

function toHeatCell(cell: Cell | undefined): HeatCell | null {
  if (cell === undefined || cell.pass_rate === null) return null;
  const { passed, scored, flagged, pass_rate: share, ci_low: low, ci_high: high } = cell;
  return { share, low, high, count: `${passed}/${scored + flagged}` };
}

/** A bar for each cell that has no depth. */
function makeFlatChart({ cells }: Summary): readonly Chart[] {
  const bars = cells
    .filter(({ depth }) => depth === null)
    .map((cell) => toBar(cellName(cell), makeRate(cell.passed, cell.scored + cell.flagged)));
  return bars.length === 0 ? [] : [{ type: 'bars', title: 'Pass rate by cell', bars }];
}

/** pass@k and pass^k, where tasks were played several times. */
function describeSamples({ pass_at_k, pass_hat_k }: Cell): readonly string[] {
  if (pass_at_k === null || pass_hat_k === null) return [];
  const list = (sign: string, estimates: Readonly<Record<string, number>>) =>
    Object.entries(estimates).map(([k, estimate]) => `pass${sign}${k} ${formatPercent(estimate)}`);
  return [`Means over tasks, unbiased: ${[...list('@', pass_at_k), ...list('^', pass_hat_k)].join(', ')}.`];
}

/** How the episodes were run, where it is not the same throughout the benchmark. */
function describeSettings(records: readonly RolloutRecord[]): readonly string[] {
  const settings = [
    ...new Set(
      records.flatMap(({ delivery, clock, instrument }) => {
        if (delivery === null && clock === null) return [];
        const shell = instrument === null ? '' : ', shell probes (the weaker instrument)';
        return [`delivery ${delivery ?? '-'}, clock ${clock ?? '-'}${shell}`];
      }),
    ),
  ];
  return settings.length === 0 ? [] : [`Events: ${settings.join('; ')}.`];
}
