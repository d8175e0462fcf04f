import { bootstrapStatistic } from '../../stats/index.ts';
import { groupBy, sumOf } from '../group.ts';
import { makeClusteredRate } from '../rate.ts';
import { orderSubjects, toClusters } from './cliff-table.ts';
import type { Published } from './published.ts';
import { compareCell, findRow, type RemadeCell, type RemadeRow } from './remade.ts';
import type { Trial } from './trial.ts';

/** One row per subject: passed/runs of pillars A, B and C, and the mean of the runs' missed-event rates. */
export function makeSuiteRows(trials: readonly Trial[], published: Published | null): readonly RemadeRow[] {
  const flat = trials.filter(({ depth }) => depth === null);
  const subjects = orderSubjects([...groupBy(flat, ({ subject }) => subject).keys()], published);
  return subjects.map((subject) => {
    const row = published === null ? null : findRow(published, subject);
    const own = flat.filter((trial) => trial.subject === subject);
    const cells = [...pillars.map((pillar) => measurePillar(own, pillar)), measureMissed(own)];
    return {
      label: row?.label ?? subject,
      subject,
      note: row?.note ?? null,
      cells: cells.map((cell) => compareCell(cell, row)),
    };
  });
}

const pillars = ['A', 'B', 'C'] as const;

function measurePillar(trials: readonly Trial[], pillar: string): Omit<RemadeCell, 'printed' | 'ok'> {
  const own = trials.filter((trial) => trial.pillar === pillar);
  const { count, n, rate, ci_low, ci_high } = makeClusteredRate([toClusters(own)]);
  const text = rate === null ? '—' : `${Math.round(100 * rate)}%`;
  return { column: pillar, count, n, text, ci_low, ci_high };
}

/** Runs alike, however many events they have: the study's rule. */
function measureMissed(trials: readonly Trial[]): Omit<RemadeCell, 'printed' | 'ok'> {
  const rated = trials.flatMap(({ task, missed }) => (missed === null ? [] : [{ task, missed }]));
  const count = sumOf(rated, ({ missed }) => missed);
  const n = rated.length;
  if (n === 0) return { column: 'missed', count, n, text: '—', ci_low: null, ci_high: null };
  const clusters = [...groupBy(rated, ({ task }) => task).values()].map((runs) => [
    sumOf(runs, ({ missed }) => missed),
    runs.length,
  ]);
  const interval = bootstrapStatistic([clusters], ([total]) => (total?.[0] ?? 0) / (total?.[1] ?? 1));
  const { low, high } = interval === null || interval.low === interval.high ? { low: null, high: null } : interval;
  return { column: 'missed', count, n, text: (count / n).toFixed(2), ci_low: low, ci_high: high };
}
