/** A table for people; every row has one text per column. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

export interface Column {
  readonly title: string;
  /** @default 'right' */
  readonly align?: 'left' | 'right';
}

/** Aligned columns under a rule, for a terminal. */
export function formatText({ columns, rows }: Table): string {
  const widths = measure(columns, rows);
  const lines = [columns.map(({ title }) => title), ...rows].map((row) => pad(row, columns, widths).join('  '));
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [lines[0] ?? '', rule, ...lines.slice(1)].map((line) => line.trimEnd()).join('\n');
}

/** A GitHub table, aligned in the source too. */
export function formatMarkdown({ columns, rows }: Table): string {
  const widths = measure(columns, rows).map((width) => Math.max(3, width));
  const format = (row: readonly string[]) => `| ${pad(row.map(escapeCell), columns, widths).join(' | ')} |`;
  const rule = columns.map(({ align = 'right' }, index) => {
    const dashes = '-'.repeat((widths[index] ?? 3) - 1);
    return align === 'left' ? `:${dashes}` : `${dashes}:`;
  });
  return [format(columns.map(({ title }) => title)), `| ${rule.join(' | ')} |`, ...rows.map(format)].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function measure(columns: Table['columns'], rows: Table['rows']): readonly number[] {
  return columns.map(({ title }, index) => Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)));
}

function pad(row: readonly string[], columns: readonly Column[], widths: readonly number[]): readonly string[] {
  return columns.map(({ align = 'right' }, index) => {
    const text = row[index] ?? '';
    const width = widths[index] ?? 0;
    return align === 'left' ? text.padEnd(width) : text.padStart(width);
  });
}
