import { z } from 'zod';
import { wilsonInterval } from '../rollout/index.ts';
import { heldOutDepths } from './demo-plan.ts';
import type { Column } from './output.ts';

export const stages = ['base', 'sft', 'grpo'] as const;
export type Stage = (typeof stages)[number];

/** What the demo reads of `muxgym eval --json`. */
export const evalReport = z.object({
  cells: z.array(
    z.object({
      depth: z.int(),
      scored: z.int(),
      flagged: z.int(),
      masked: z.int(),
      passed: z.int(),
      mean_reward: z.number().nullable(),
    }),
  ),
  arrow_file: z.string(),
  report: z.string(),
});
export type EvalReport = Readonly<z.infer<typeof evalReport>>;

/** One line of `summary.json`. Episodes are those with a verdict; the interval is Wilson's, 95 %. */
export interface DemoRow {
  readonly stage: Stage;
  readonly depth: number;
  readonly held_out: boolean;
  readonly episodes: number;
  readonly masked: number;
  readonly passed: number;
  /** Null without an episode. */
  readonly pass_rate: number | null;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly mean_reward: number | null;
}

/** One row per depth: op-counts have equal numbers of episodes, so that pooling them weighs them alike. */
export function makeRows(stage: Stage, { cells }: EvalReport): readonly DemoRow[] {
  const depths = [...new Set(cells.map(({ depth }) => depth))].sort((a, b) => a - b);
  return depths.map((depth) =>
    makeRow(
      stage,
      depth,
      cells.filter((cell) => cell.depth === depth),
    ),
  );
}

function makeRow(stage: Stage, depth: number, cells: EvalReport['cells']): DemoRow {
  const sum = (value: (cell: EvalReport['cells'][number]) => number) =>
    cells.reduce((total, cell) => total + value(cell), 0);
  const episodes = sum(({ scored, flagged }) => scored + flagged);
  const passed = sum((cell) => cell.passed);
  const masked = sum((cell) => cell.masked);
  const base = { stage, depth, held_out: heldOutDepths.includes(depth), episodes, masked, passed };
  if (episodes === 0) return { ...base, pass_rate: null, ci_low: null, ci_high: null, mean_reward: null };
  const { low, high } = wilsonInterval(passed, episodes);
  const reward = sum(({ mean_reward, scored, flagged }) => (mean_reward ?? 0) * (scored + flagged));
  return { ...base, pass_rate: passed / episodes, ci_low: low, ci_high: high, mean_reward: reward / episodes };
}

interface DepthLine {
  readonly depth: number;
  readonly cells: Readonly<Record<Stage, DemoRow | undefined>>;
}

/** Depths down, stages across. */
export function makeLines(rows: readonly DemoRow[]): readonly DepthLine[] {
  const depths = [...new Set(rows.map(({ depth }) => depth))].sort((a, b) => a - b);
  const find = (depth: number, stage: Stage) => rows.find((row) => row.depth === depth && row.stage === stage);
  return depths.map((depth) => ({
    depth,
    cells: { base: find(depth, 'base'), sft: find(depth, 'sft'), grpo: find(depth, 'grpo') },
  }));
}

export const lineColumns: readonly Column<DepthLine>[] = [
  { title: 'depth', value: ({ depth }) => `D${depth}` },
  { title: 'training', value: ({ depth }) => (heldOutDepths.includes(depth) ? 'held out' : 'trained') },
  ...stages.flatMap((stage): readonly Column<DepthLine>[] => [
    { title: stage, value: ({ cells }) => formatRate(cells[stage]) },
    { title: `${stage} reward`, value: ({ cells }) => cells[stage]?.mean_reward?.toFixed(2) ?? null },
  ]),
];

function formatRate(row: DemoRow | undefined): string | null {
  if (row === undefined || row.ci_low === null || row.ci_high === null) return null;
  const percent = (value: number) => `${Math.round(100 * value)}`;
  return `${row.passed}/${row.episodes} (${percent(row.ci_low)}–${percent(row.ci_high)} %)`;
}
