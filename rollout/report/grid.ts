import type { Axes, Cell } from './cell.ts';
import { formatInterval, formatPercent } from './format.ts';
import type { Summary } from './summary.ts';
import type { Column, Table } from './table.ts';

/**
 * The table of a summary: one row per suite and depth (or per cell, where there is no depth), one column per op-count
 * with passed/n, then the rate with its interval and n, the mean reward, and what went otherwise than scored.
 */
export function makeGrid(summary: Summary): Table {
  const opCounts = [...new Set(summary.cells.flatMap(({ ops }) => (ops === null ? [] : [ops])))].sort((a, b) => a - b);
  const flat = summary.cells.filter(({ depth }) => depth === null);
  const shown = figureColumns.filter(({ isShown = () => true }) => summary.cells.some(isShown));
  const formatFigures = (cell: Cell) => shown.map(({ format }) => format(cell));
  const columns: readonly Column[] = [
    { title: 'suite', align: 'left' },
    { title: 'depth', align: 'left' },
    ...opCounts.map((ops) => ({ title: `N=${ops}` })),
    ...shown.map(({ title }) => ({ title })),
  ];
  const deep = summary.by_depth.map((row) => [
    ...nameOf(row),
    ...opCounts.map((ops) => formatShare(findCell(summary.cells, row, ops))),
    ...formatFigures(row),
  ]);
  const rest = flat.map((cell) => [...nameOf(cell), ...opCounts.map(() => ''), ...formatFigures(cell)]);
  const total = ['all', '', ...opCounts.map(() => ''), ...formatFigures(summary.totals)];
  return { columns, rows: [...deep, ...rest, total] };
}

interface FigureColumn {
  readonly title: string;
  readonly format: (cell: Cell) => string;
  /** The column stands where any cell has it. @default always */
  readonly isShown?: (cell: Cell) => boolean;
}

const figureColumns: readonly FigureColumn[] = [
  { title: 'passed', format: formatShare },
  { title: 'pass rate', format: ({ pass_rate }) => formatPercent(pass_rate) },
  { title: '95 %', format: ({ ci_low, ci_high }) => formatInterval(ci_low, ci_high) },
  { title: 'less guess', format: formatAboveGuess, isShown: ({ guess }) => guess !== null },
  { title: 'reward', format: ({ mean_reward }) => (mean_reward === null ? '-' : mean_reward.toFixed(3)) },
  { title: 'format', format: ({ format_failures }) => String(format_failures) },
  { title: 'out of steps', format: ({ truncated_by }) => String(truncated_by.steps) },
  { title: 'cut', format: ({ truncated, truncated_by }) => String(truncated - truncated_by.steps) },
  { title: 'flagged', format: ({ flagged }) => String(flagged) },
  { title: 'masked', format: ({ masked }) => String(masked) },
];

/** What the columns of a grid mean, in one paragraph. */
export const gridLegend =
  'passed: episodes passed / judged (scored or flagged; masked ones, our own failures, are in no figure but their own). ' +
  'Rates of a depth weigh op-counts alike. Intervals: the seeded bootstrap over cells and tasks (10,000 draws, ' +
  'percentile); Wilson where all tasks of each cell went alike. format: model answers without a valid ' +
  'action. cut: episodes ended by ticks, time or context. less guess: the pass rate less what guessing passes.';

/** One line above a grid. */
export function formatHeading({ policy, model, totals }: Summary): string {
  const name = model === null ? policy : `${policy}, model ${model}`;
  const { episodes, scored, flagged, masked } = totals;
  return `${name}: ${episodes} episodes, ${scored} scored, ${flagged} flagged, ${masked} masked`;
}

function nameOf(cell: Cell): readonly [string, string] {
  return [cellName(cell), cell.depth === null ? '' : `D${cell.depth}`];
}

/** `events bell E1 k2 solo event`: the suite and the event axes of a cell, without depth and op-count. */
export function cellName({
  suite,
  kind,
  level,
  count,
  delegation,
  arm,
}: Omit<Axes, 'depth' | 'ops' | 'pillar'>): string {
  const numbers = [level === null ? null : `E${level}`, count === null ? null : `k${count}`];
  return [suite ?? '', kind, ...numbers, delegation, arm].filter((axis) => axis !== null).join(' ');
}

function findCell(cells: readonly Cell[], row: Cell, ops: number): Cell | undefined {
  return cells.find((cell) => cell.suite === row.suite && cell.depth === row.depth && cell.ops === ops);
}

function formatShare(cell: Cell | undefined): string {
  return cell === undefined ? '-' : `${cell.passed}/${cell.scored + cell.flagged}`;
}

/** METRICS: tables subtract what guessing passes where that is more than 0.001. */
function formatAboveGuess({ pass_rate, guess }: Cell): string {
  return pass_rate === null ? '-' : formatPercent(pass_rate - (guess ?? 0));
}
