import { formatCount, formatP, formatPoints } from '../format.ts';
import type { Chart, Section } from '../section.ts';
import type { Table } from '../table.ts';
import type { AbsentTable } from './published.ts';
import type { RemadeCell, RemadeRow } from './remade.ts';
import type { RemadeTable } from './remake.ts';
import type { RlRow } from './rl-table.ts';

/** A table of the study as made again. */
export function makeRemadeSection(remade: RemadeTable): Section {
  const { table, title } = remade;
  const rl = remade.rows.filter(isRlRow);
  return {
    id: `table-${table}`,
    title,
    table: rl.length > 0 ? makeRlTable(rl) : makeRateTable(remade),
    charts: [makeChart(remade)],
    notes: listNotes(remade),
  };
}

/** Whether a row is one of a training table. */
function isRlRow(row: RemadeRow | RlRow): row is RlRow {
  return 'fisher' in row;
}

function makeRateTable({ rows, published }: RemadeTable): Table {
  const names = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))];
  const verdict = published === null ? [] : [{ title: 'against the study' }];
  return {
    columns: [
      { title: 'model', align: 'left' },
      ...names.map((name) => ({ title: columnTitles[name] ?? name })),
      ...verdict,
    ],
    rows: rows.map((row) => {
      const cells = names.map((name) => formatCell(row.cells.find(({ column }) => column === name)));
      return [row.label, ...cells, ...(published === null ? [] : [formatVerdict(row)])];
    }),
  };
}

const columnTitles: Readonly<Record<string, string>> = {
  ...{ D0: 'D0 files', D1: 'D1 option', D2: 'D2 capture', D3: 'D3 targeted', D4: 'D4 event' },
  ...{ A: 'A sync', B: 'B events', C: 'C orch', missed: 'missed events', base: 'base', trained: 'trained' },
};

/** `47% 7/15 (25-70)`. */
function formatCell(cell: RemadeCell | undefined): string {
  if (cell === undefined || cell.n === 0) return '—';
  const { text, ci_low, ci_high } = cell;
  const interval = ci_low === null || ci_high === null ? '' : ` (${percent(ci_low)}-${percent(ci_high)})`;
  return `${text} ${formatCount(cell)}${interval}`;
}

function percent(share: number): string {
  return String(Math.round(100 * share));
}

function formatVerdict({ cells, note }: RemadeRow): string {
  const compared = cells.filter(({ ok }) => ok !== null);
  if (compared.length === 0) return 'not published';
  const wrong = compared.filter(({ ok }) => ok === false);
  if (wrong.length > 0) return `differs: ${wrong.map(describeDifference).join(', ')}`;
  if (compared.every(({ printed }) => printed === null)) return 'same counts, none printed';
  return note === null ? 'same' : `same (${note})`;
}

function describeDifference({ column, printed }: RemadeCell): string {
  return printed === null ? column : `${column} printed ${printed}`;
}

function makeRlTable(rows: readonly RlRow[]): Table {
  const titles = ['experiment', 'tasks', 'training', 'base', 'trained', 'trained - base, paired'];
  const tests = ['Fisher p', 'after Holm', 'moved', 'the study says', 'against the study'];
  return {
    columns: [...titles, ...tests].map((title, index) => ({ title, align: index < 3 ? 'left' : 'right' })),
    rows: rows.map((row) => [
      row.subject,
      row.label,
      formatHeldOut(row),
      ...row.cells.map(formatRlCell),
      formatPaired(row),
      formatP(row.fisher),
      formatP(row.fisher_holm),
      formatMoved(row),
      row.printed_statistic ?? '-',
      formatVerdict(row),
    ]),
  };
}

function formatHeldOut({ held_out }: RlRow): string {
  if (held_out === null) return '-';
  return held_out ? 'held out' : 'trained';
}

function formatMoved({ moved }: RlRow): string {
  if (moved === null) return '-';
  return moved ? 'yes' : 'no';
}

function formatRlCell(cell: RemadeCell): string {
  if (cell.n === 0) return '—';
  const { ci_low, ci_high } = cell;
  return `${formatCount(cell)} (${percent(ci_low ?? 0)}-${percent(ci_high ?? 1)})`;
}

function formatPaired({ paired }: RlRow): string {
  if (paired === null) return '-';
  const { difference, low, high } = paired;
  const exact = low === high ? { ci_low: null, ci_high: null } : { ci_low: low, ci_high: high };
  return formatPoints({ difference, ...exact });
}

function makeChart({ rows, table }: RemadeTable): Chart {
  const names = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))];
  return {
    type: 'heat',
    title: chartTitles[table],
    columns: names.map((name) => columnTitles[name] ?? name),
    rows: rows.map(({ label, subject, cells }) => ({
      label: table === 'rl' ? `${subject} ${label}` : label,
      cells: names.map((name) => {
        const cell = cells.find(({ column }) => column === name);
        return cell === undefined || cell.n === 0
          ? null
          : { share: cell.count / cell.n, low: cell.ci_low, high: cell.ci_high, count: formatCount(cell) };
      }),
    })),
  };
}

function listNotes({ table, published, differences, missing, changed_files, rows }: RemadeTable): readonly string[] {
  const compared = rows.flatMap(({ cells }) => cells).filter(({ ok }) => ok !== null).length;
  const source =
    published === null ? [] : [`Published: ${published.study}, "${published.section}", ${published.page}.`];
  const verdict =
    published === null ? [] : [`${compared - differences.length} of ${compared} compared cells are as published.`];
  return [
    ...source,
    ...verdict,
    ...differences.map(
      ({ row, column, published: was, found }) => `Differs: ${row} ${column}: ${was}, found ${found}.`,
    ),
    ...(missing.length === 0 ? [] : [`No records given for: ${missing.join(', ')}.`]),
    ...rows.filter(isRlRow).flatMap(describeStatistic),
    ...changed_files.map((file) => `Not the published bytes: ${file}.`),
    tableNotes[table],
  ];
}

/** Where the study's own p-value is not that of the test it names. */
function describeStatistic({ label, cells, fisher, printed_fisher, printed_statistic }: RlRow): readonly string[] {
  if (fisher === null || printed_fisher === null || Math.abs(Math.log(fisher / printed_fisher)) < 0.1) return [];
  const counts = cells.map(formatCount).join(' against ');
  return [
    `${label}: the study prints "${printed_statistic}"; Fisher's exact test of ${counts} gives ${formatP(fisher)}.`,
  ];
}

const tableNotes = {
  cliff:
    'Each cell: mean over op-counts, passed/runs, and the 95 % interval in percent (bootstrap over op-counts and tasks; Wilson where none differ).',
  suite:
    "Each cell: passed/runs with Wilson's 95 % interval in percent. Missed events: the mean over runs that have events, with the bootstrap over runs.",
  rl: "Base and trained: passed/runs with Wilson's 95 % interval. Fisher's exact test, two-sided, takes runs for independent, though they are clustered by op-count and seed; the paired bootstrap over tasks stands beside it. Moved: p < 0.01 after Holm over the rows of the experiment. Where the study prints another statistic, its words stand beside ours. One training seed.",
} as const;

const chartTitles = {
  cliff: 'Passed/runs, and the 95 % interval in percent',
  suite: 'Passed/runs, and the 95 % interval in percent; missed events: missed/runs',
  rl: 'Passed/runs, and the 95 % interval in percent',
} as const;

/** What of the study cannot be made again. */
export function makeAbsentSection(absent: readonly AbsentTable[]): Section {
  return {
    id: 'absent',
    title: 'Published tables whose raw records are not there',
    table: {
      columns: [
        { title: 'table', align: 'left' },
        { title: 'what', align: 'left' },
        { title: "the study's claim, not made again", align: 'left' },
      ],
      rows: absent.map(({ name, title, claim }) => [name, title, claim]),
    },
    charts: [],
    notes: [],
  };
}
