import type { Published, PublishedRow } from './published.ts';

/** A cell of a table that was made again, beside what the study printed. */
export interface RemadeCell {
  readonly column: string;
  /** Passed, or the sum of missed-event rates. */
  readonly count: number;
  readonly n: number;
  /** As the study would print it. */
  readonly text: string;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  /** Null where the study prints none. */
  readonly printed: string | null;
  /** Whether text and counts are the published ones; null where there is nothing to compare with. */
  readonly ok: boolean | null;
}

export interface RemadeRow {
  readonly label: string;
  readonly subject: string;
  readonly note: string | null;
  readonly cells: readonly RemadeCell[];
}

/** A cell that is not as published. */
export interface TableDifference {
  readonly row: string;
  readonly column: string;
  readonly published: string;
  readonly found: string;
}

type Measured = Omit<RemadeCell, 'printed' | 'ok'>;

/**
 * Sets the published figure beside a measured one. With `row` null, as for a subject that the study does not have or
 * for records of our own, there is nothing to compare with.
 */
export function compareCell(measured: Measured, row: PublishedRow | null): RemadeCell {
  const printed = row?.printed[measured.column] ?? null;
  const counts = row?.counts[measured.column] ?? null;
  if (counts === null) return { ...measured, printed, ok: null };
  const sameText = printed === null || printed === measured.text;
  return { ...measured, printed, ok: sameText && counts === formatCounts(measured) };
}

/** The differing cells of rows, with the published counts where the printed figure is the same. */
export function listDifferences(rows: readonly RemadeRow[], published: Published): readonly TableDifference[] {
  return rows.flatMap((row) => {
    const source = findRow(published, row.subject, row.label);
    return row.cells
      .filter(({ ok }) => ok === false)
      .map((cell) => ({
        row: row.label,
        column: cell.column,
        published: `${cell.printed ?? '-'} (${source?.counts[cell.column] ?? '-'})`,
        found: `${cell.text} (${formatCounts(cell)})`,
      }));
  });
}

export function findRow(published: Published, subject: string, label?: string): PublishedRow | null {
  const found = published.rows.find((row) => row.subject === subject && (label === undefined || row.label === label));
  return found ?? null;
}

function formatCounts({ count, n }: Pick<Measured, 'count' | 'n'>): string {
  return `${count}/${n}`;
}
