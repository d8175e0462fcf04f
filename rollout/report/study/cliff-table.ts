import { groupBy, meanOf } from '../group.ts';
import { makeClusteredRate } from '../rate.ts';
import type { Published } from './published.ts';
import { compareCell, findRow, type RemadeCell, type RemadeRow } from './remade.ts';
import type { Trial } from './trial.ts';

/** One row per subject, one column per depth: the mean over op-counts of passed/runs. */
export function makeCliffRows(trials: readonly Trial[], published: Published | null): readonly RemadeRow[] {
  const deep = trials.filter(({ depth }) => depth !== null);
  const depths = [...new Set(deep.flatMap(({ depth }) => depth ?? []))].sort((a, b) => a - b);
  const subjects = orderSubjects([...groupBy(deep, ({ subject }) => subject).keys()], published);
  return subjects.map((subject) => {
    const row = published === null ? null : findRow(published, subject);
    const own = deep.filter((trial) => trial.subject === subject);
    const columns = row === null ? depths : Object.keys(row.printed).map((name) => Number(name.slice(1)));
    return {
      label: row?.label ?? subject,
      subject,
      note: row?.note ?? null,
      cells: columns.map((depth) =>
        compareCell(
          measureDepth(
            own.filter((trial) => trial.depth === depth),
            depth,
          ),
          row,
        ),
      ),
    };
  });
}

/** As the study lists them, then the others as they appear. */
export function orderSubjects(subjects: readonly string[], published: Published | null): readonly string[] {
  const known = [...new Set((published?.rows ?? []).map(({ subject }) => subject))];
  return [...known.filter((name) => subjects.includes(name)), ...subjects.filter((name) => !known.includes(name))];
}

function measureDepth(trials: readonly Trial[], depth: number): Omit<RemadeCell, 'printed' | 'ok'> {
  const cells = [...groupBy(trials, ({ ops }) => String(ops)).values()];
  const rates = cells.map((cell) => cell.filter(({ passed }) => passed).length / cell.length);
  const { count, n, ci_low, ci_high } = makeClusteredRate(cells.map(toClusters));
  const text = n === 0 ? '—' : `${Math.round(100 * meanOf(rates))}%`;
  return { column: `D${depth}`, count, n, text, ci_low, ci_high };
}

/** Runs of one task are drawn together. */
export function toClusters(trials: readonly Trial[]): readonly { readonly sum: number; readonly count: number }[] {
  return [...groupBy(trials, ({ task }) => task).values()].map((runs) => ({
    sum: runs.filter(({ passed }) => passed).length,
    count: runs.length,
  }));
}
