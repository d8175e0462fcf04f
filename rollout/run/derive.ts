import {
  type ArrowFile,
  createArrow,
  makeEpisodeRow,
  makeEventRows,
  makeStepRows,
  makeTurnRows,
  writeArrow,
} from '../arrow/index.ts';
import { formatTracePlace, type RolloutRecord, readJsonLines, traceError, traceRecordSchema } from '../record/index.ts';
import { formatHeading, formatMarkdown, gridLegend, makeGrid, summarizePolicy } from '../report/index.ts';
import { addUsage, type BudgetStop, noUsage, type Usage } from './budget.ts';
import type { RunConfig } from './config.ts';
import { formatEffort } from './effort.ts';
import type { RunPaths } from './folder.ts';
import type { RunSummary } from './run-summary.ts';
import type { Measured } from './throughput.ts';
import { writeFileDurably } from './write-file.ts';

export interface DeriveOptions {
  readonly paths: RunPaths;
  readonly config: RunConfig;
  readonly records: readonly RolloutRecord[];
  readonly measured: Measured;
  readonly complete: boolean;
  readonly stoppedBy: BudgetStop | null;
}

/** Makes all that follows from the records: the Arrow tables, the summary and the report. Returns the summary. */
export async function deriveResults(options: DeriveOptions): Promise<RunSummary> {
  const { paths, records } = options;
  await writeArrow(paths.rollouts, 'episodes', records.map(makeEpisodeRow));
  await writeArrow(paths.events, 'events', records.flatMap(makeEventRows));
  await writeTraceTables(paths, records);
  const summary = makeRunSummary(options);
  writeFileDurably(paths.summary, `${JSON.stringify(summary, null, 2)}\n`);
  writeFileDurably(paths.report, formatReport(summary, options));
  return summary;
}

/** Steps and turns, in one pass over the traces. */
async function writeTraceTables(paths: RunPaths, records: readonly RolloutRecord[]): Promise<void> {
  await using steps = createArrow(paths.steps, 'steps');
  await using turns = createArrow(paths.turns, 'turns');
  if (records.length > 0) await appendTraces(paths, records, { steps, turns });
  await steps.publish();
  await turns.publish();
}

/** In the order of the traces; attempts that no record names are left out. Throws `E_TRACE` for a gap. */
async function appendTraces(
  paths: RunPaths,
  records: readonly RolloutRecord[],
  { steps, turns }: { readonly steps: ArrowFile; readonly turns: ArrowFile },
): Promise<void> {
  const wanted = new Map(records.map((record) => [record.trace, record]));
  for await (const { value, offset } of readJsonLines(paths.traces, traceRecordSchema)) {
    const name = formatTracePlace(offset);
    const record = wanted.get(name);
    if (record === undefined) continue;
    for (const row of makeStepRows(record, value)) steps.append(row);
    for (const row of makeTurnRows(record, value)) turns.append(row);
    wanted.delete(name);
  }
  const [missing] = wanted.values();
  if (missing !== undefined) throw traceError(missing, paths.traces);
}

function makeRunSummary({ paths, config, records, measured, complete, stoppedBy }: DeriveOptions): RunSummary {
  const named = config.context['model'];
  const model = typeof named === 'string' ? named : null;
  const summary = summarizePolicy({ policy: String(config.config['policy']), model }, records);
  return {
    run: paths.folder,
    ...summary,
    throughput: measured.throughput,
    time: measured.time,
    usage: records.reduce<Usage>(addUsage, noUsage),
    complete,
    stopped_by: stoppedBy,
    episodes_file: paths.episodes,
    arrow_file: paths.rollouts,
    steps_file: paths.steps,
    turns_file: paths.turns,
    events_file: paths.events,
    report: paths.report,
  };
}

function formatReport(summary: RunSummary, { config, records }: DeriveOptions): string {
  const rungs = [...new Set(records.map(({ sandbox, tmux_version }) => `${sandbox}, tmux ${tmux_version}`))];
  const settings = Object.entries({ ...config.context, ...config.config }).filter(([, value]) => value !== null);
  const { complete, stopped_by, episodes_file, arrow_file, steps_file, turns_file, events_file } = summary;
  const rest = stopped_by === null ? 'not complete: run the same command again' : `stopped by ${stopped_by}`;
  const files = [arrow_file, steps_file, turns_file, events_file].map((file) => `\`${file}\``);
  return [
    '# muxgym eval',
    '',
    `${formatHeading(summary)}${complete ? '' : ` (${rest})`}.`,
    '',
    formatMarkdown(makeGrid(summary)),
    '',
    gridLegend,
    '',
    ...formatEffort(summary),
    `Sandbox: ${rungs.join('; ') || 'none'}.`,
    '',
    '## Configuration',
    '',
    ...settings.map(([key, value]) => `- ${key}: ${value}`),
    '',
    `Records: \`${episodes_file}\`, tables: ${files.join(', ')}.`,
    '',
  ].join('\n');
}
