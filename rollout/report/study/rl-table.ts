import { fisherExact, holmAdjust, type PairedDifference, pairedBootstrap } from '../../stats/index.ts';
import { groupBy } from '../group.ts';
import { makeRate } from '../rate.ts';
import type { Published } from './published.ts';
import { compareCell, findRow, type RemadeCell, type RemadeRow } from './remade.ts';
import type { Trial } from './trial.ts';

/** What a training did: the same tasks before and after it. */
export interface Experiment {
  /** As the published table names it, or a name for runs of our own. */
  readonly name: string;
  readonly base: readonly Trial[];
  readonly trained: readonly Trial[];
}

export interface RlRow extends RemadeRow {
  /** Null where it is not known. */
  readonly held_out: boolean | null;
  /** Fisher's exact test, two-sided; runs of one task count as independent, which clustering by N and seed is not. */
  readonly fisher: number | null;
  /** Over the rows of the experiment. */
  readonly fisher_holm: number | null;
  /** trained − base, paired by task, within cells. */
  readonly paired: PairedDifference | null;
  /** METRICS: Fisher's p < 0.01 after Holm. */
  readonly moved: boolean | null;
  /** The study's own words on the same row. */
  readonly printed_statistic: string | null;
  readonly printed_fisher: number | null;
}

/** Rows of one experiment: groups of depths as published, or each depth; then everything that is no cliff. */
export function makeRlRows(experiment: Experiment, published: Published | null): readonly RlRow[] {
  const known = (published?.rows ?? []).filter(({ subject }) => subject === experiment.name);
  const labels = known.length > 0 ? known.map(({ label }) => label) : listLabels(experiment);
  const rows = labels.map((label) => makeRow(experiment, label, published));
  const tested = rows.filter(({ fisher }) => fisher !== null);
  const adjusted = holmAdjust(tested.map(({ fisher }) => fisher ?? 1));
  return rows.map((row) => {
    const fisher_holm = adjusted[tested.indexOf(row)] ?? null;
    return { ...row, fisher_holm, moved: fisher_holm === null ? null : fisher_holm < 0.01 };
  });
}

function listLabels({ base, trained }: Experiment): readonly string[] {
  const trials = [...base, ...trained];
  const depths = [...new Set(trials.flatMap(({ depth }) => depth ?? []))].sort((a, b) => a - b);
  return [...depths.map((depth) => `D${depth}`), ...(trials.some(({ depth }) => depth === null) ? ['suite'] : [])];
}

function makeRow({ name, base, trained }: Experiment, label: string, published: Published | null): RlRow {
  const row = published === null ? null : findRow(published, name, label);
  const before = base.filter((trial) => belongs(trial, label));
  const after = trained.filter((trial) => belongs(trial, label));
  const cells = [measure('base', before, row?.printed['base']), measure('trained', after, row?.printed['trained'])];
  const [a, b] = cells;
  const both = a !== undefined && b !== undefined && a.n > 0 && b.n > 0;
  return {
    label,
    subject: name,
    note: row?.note ?? null,
    held_out: row?.held_out ?? null,
    cells: cells.map((cell) => compareCell(cell, row)),
    fisher: both ? fisherExact(a.count, a.n - a.count, b.count, b.n - b.count) : null,
    fisher_holm: null,
    paired: makePaired(before, after),
    moved: null,
    printed_statistic: row?.statistic?.text ?? null,
    printed_fisher: row?.statistic?.fisher ?? null,
  };
}

/** `D3`, `D0-D2`, or `suite` for what has no depth. */
function belongs({ depth }: Trial, label: string): boolean {
  if (label === 'suite') return depth === null;
  const [from, to = from] = label.split('-').map((name) => Number(name.slice(1)));
  return depth !== null && from !== undefined && to !== undefined && depth >= from && depth <= to;
}

/** Counts, with the percentage where the study prints it too. */
function measure(column: string, trials: readonly Trial[], printed = ''): Omit<RemadeCell, 'printed' | 'ok'> {
  const passed = trials.filter((trial) => trial.passed).length;
  const { count, n, rate, ci_low, ci_high } = makeRate(passed, trials.length);
  const percent = printed.includes('%') && rate !== null ? ` (${Math.round(100 * rate)}%)` : '';
  return { column, count, n, text: n === 0 ? '—' : `${count}/${n}${percent}`, ci_low, ci_high };
}

function makePaired(base: readonly Trial[], trained: readonly Trial[]): PairedDifference | null {
  const sides = [
    ...base.map((trial) => ({ trial, after: false })),
    ...trained.map((trial) => ({ trial, after: true })),
  ];
  const cells = groupBy(sides, ({ trial }) => JSON.stringify([trial.pillar, trial.depth, trial.ops]));
  return pairedBootstrap(
    [...cells.values()].map((cell) =>
      [...groupBy(cell, ({ trial }) => trial.task).values()].map((task) => ({
        a: countSide(task.filter(({ after }) => !after).map(({ trial }) => trial)),
        b: countSide(task.filter(({ after }) => after).map(({ trial }) => trial)),
      })),
    ),
  );
}

function countSide(trials: readonly Trial[]) {
  return { sum: trials.filter(({ passed }) => passed).length, count: trials.length };
}
