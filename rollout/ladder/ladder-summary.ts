import { join } from 'node:path';
import { formatMarkdown, type Table } from '../report/index.ts';
import { type RunSummary, writeFileDurably } from '../run/index.ts';
import type { Ladder, LadderEntry } from './ladder-file.ts';

/** What became of one model. */
export interface EntryResult {
  readonly entry: LadderEntry;
  /** By the name of the sweep; those that were begun. */
  readonly runs: Readonly<Record<string, RunSummary>>;
  /** Why its server was given up; null where it was not. */
  readonly failure: { readonly code: string; readonly message: string; readonly log_tail: readonly string[] } | null;
}

export interface LadderRow {
  readonly name: string;
  readonly model: string;
  readonly status: 'done' | 'skipped' | 'unfinished';
  readonly failure: EntryResult['failure'];
  readonly sweeps: Readonly<Record<string, Pick<RunSummary, 'run' | 'complete' | 'totals' | 'by_depth' | 'time'>>>;
}

/** `ladder.json`: what `muxgym ladder --json` prints. */
export interface LadderSummary {
  readonly ladder: string;
  readonly complete: boolean;
  readonly rows: readonly LadderRow[];
  readonly report: string;
}

export interface LadderWrite {
  readonly folder: string;
  readonly ladder: Ladder;
  readonly results: readonly EntryResult[];
}

/** Writes `ladder.json` and `report.md`; models that were not reached yet are in both as unfinished. */
export function writeLadderSummary({ folder, ladder, results }: LadderWrite): LadderSummary {
  const byName = new Map(results.map((result) => [result.entry.name, result]));
  const rows = ladder.models.map((entry) => makeRow(entry, ladder, byName.get(entry.name)));
  const report = join(folder, 'report.md');
  const summary = { ladder: folder, complete: rows.every(({ status }) => status === 'done'), rows, report };
  writeFileDurably(join(folder, 'ladder.json'), `${JSON.stringify(summary, null, 2)}\n`);
  writeFileDurably(report, formatReport(summary));
  return summary;
}

function makeRow({ name, model }: LadderEntry, { sweeps }: Ladder, result: EntryResult | undefined): LadderRow {
  const runs = result?.runs ?? {};
  const done = sweeps.every((sweep) => runs[sweep.name]?.complete === true);
  return {
    name,
    model,
    status: result?.failure ? 'skipped' : done ? 'done' : 'unfinished',
    failure: result?.failure ?? null,
    sweeps: Object.fromEntries(
      Object.entries(runs).map(([sweep, { run, complete, totals, by_depth, time }]) => {
        return [sweep, { run, complete, totals, by_depth, time }];
      }),
    ),
  };
}

/** One row a model; a column for each sweep, and one for each depth of a sweep that has depths. */
export function makeLadderTable({ rows }: LadderSummary): Table {
  const columns = new Map<string, (row: LadderRow) => string>();
  for (const name of new Set(rows.flatMap(({ sweeps }) => Object.keys(sweeps)))) {
    for (const depth of listDepths(rows, name)) {
      columns.set(`${name} D${depth}`, (row) => {
        return formatRate(row.sweeps[name]?.by_depth.find((cell) => cell.depth === depth));
      });
    }
    columns.set(name, (row) => formatRate(row.sweeps[name]?.totals));
  }
  return {
    columns: [
      { title: 'model', align: 'left' },
      { title: 'status', align: 'left' },
      ...[...columns.keys()].map((title) => ({ title })),
    ],
    rows: rows.map((row) => [row.name, row.status, ...[...columns.values()].map((format) => format(row))]),
  };
}

function listDepths(rows: readonly LadderRow[], sweep: string): readonly number[] {
  const depths = rows.flatMap(({ sweeps }) => sweeps[sweep]?.by_depth ?? []).map(({ depth }) => depth ?? 0);
  return [...new Set(depths)].sort((a, b) => a - b);
}

/** `0.40 [0.20, 0.64] n 15`, masked episodes apart. */
function formatRate(cell: RunSummary['totals'] | undefined): string {
  if (cell === undefined) return '-';
  const { pass_rate: rate, ci_low: low, ci_high: high, scored, flagged, masked } = cell;
  const apart = masked === 0 ? '' : `, ${masked} masked`;
  if (rate === null || low === null || high === null) return `-${apart}`;
  return `${rate.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}] n ${scored + flagged}${apart}`;
}

function formatReport(summary: LadderSummary): string {
  const skipped = summary.rows.flatMap(({ name, failure }) => {
    if (failure === null) return [];
    return [
      `## ${name} was skipped`,
      '',
      `${failure.code}: ${failure.message}`,
      '',
      '```',
      ...failure.log_tail,
      '```',
      '',
    ];
  });
  return [
    '# muxgym ladder',
    '',
    formatMarkdown(makeLadderTable(summary)),
    '',
    'Pass rate [95 % interval] n episodes that were judged.',
    '',
    ...skipped,
  ].join('\n');
}
