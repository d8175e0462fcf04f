import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { makeEpisodeRow, makeStepRows, type Row, writeArrow } from '../arrow/index.ts';
import { formatTracePlace, type RolloutRecord, readJsonLines, traceError, traceRecordSchema } from '../record/index.ts';
import { formatHeading, formatMarkdown, gridLegend, makeGrid, type Summary, summarizePolicy } from '../report/index.ts';
import type { RunConfig } from './config.ts';
import type { CpuMeter } from './cpu-meter.ts';
import type { RunPaths } from './folder.ts';
import { writeFileDurably } from './write-file.ts';

export interface Throughput {
  /** Finished episodes per second of real time, from the first reset to the last grade. */
  readonly episodes_per_s: number;
  /** CPU of this process and its sandboxes, from the gym's start to its end, over the episodes. */
  readonly cpu_ms_per_episode: number;
  /** How it was counted; see `CpuMeter`. */
  readonly cpu_meter: CpuMeter['kind'];
  /** Real seconds from the first reset to the last grade. */
  readonly wall_s: number;
}

/** What the last start that played anything measured; null where none ended. */
export function readThroughput(paths: RunPaths): Throughput | null {
  if (!existsSync(paths.summary)) return null;
  const { throughput } = throughputSchema.parse(JSON.parse(readFileSync(paths.summary, 'utf8')));
  return throughput;
}

const throughputSchema = z.object({
  throughput: z
    .object({
      episodes_per_s: z.number(),
      cpu_ms_per_episode: z.number(),
      cpu_meter: z.enum(['cgroup', 'process']),
      wall_s: z.number(),
    })
    .nullable(),
});

/** `summary.json`: what `muxgym eval --json` prints. */
export interface RunSummary extends Summary {
  readonly run: string;
  /** Of the start that played the last episode; null where none was timed. */
  readonly throughput: Throughput | null;
  /** Whether episodes are still to be played. */
  readonly complete: boolean;
  readonly episodes_file: string;
  readonly arrow_file: string;
  readonly steps_file: string;
  readonly report: string;
}

export interface DeriveOptions {
  readonly paths: RunPaths;
  readonly config: RunConfig;
  readonly model: string | null;
  readonly records: readonly RolloutRecord[];
  readonly throughput: Throughput | null;
  readonly complete: boolean;
}

/** Makes all that follows from the records: the Arrow tables, the summary and the report. Returns the summary. */
export async function deriveResults(options: DeriveOptions): Promise<RunSummary> {
  const { paths, records } = options;
  await writeArrow(paths.rollouts, 'episodes', records.map(makeEpisodeRow));
  await writeArrow(paths.steps, 'steps', generateStepRows(paths, records));
  const summary = makeRunSummary(options);
  writeFileDurably(paths.summary, `${JSON.stringify(summary, null, 2)}\n`);
  writeFileDurably(paths.report, formatReport(summary, options));
  return summary;
}

/** One pass over the traces, in their order; attempts that no record names are left out. Throws `E_TRACE` for a gap. */
async function* generateStepRows(paths: RunPaths, records: readonly RolloutRecord[]): AsyncGenerator<Row> {
  if (records.length === 0) return;
  const wanted = new Map(records.map((record) => [record.trace, record]));
  for await (const { value, offset } of readJsonLines(paths.traces, traceRecordSchema)) {
    const name = formatTracePlace(offset);
    const record = wanted.get(name);
    if (record === undefined) continue;
    yield* makeStepRows(record, value);
    wanted.delete(name);
  }
  const [missing] = wanted.values();
  if (missing !== undefined) throw traceError(missing, paths.traces);
}

function makeRunSummary({ paths, config, model, records, throughput, complete }: DeriveOptions): RunSummary {
  const summary = summarizePolicy({ policy: String(config.config['policy']), model }, records);
  const files = { episodes_file: paths.episodes, arrow_file: paths.rollouts, steps_file: paths.steps };
  return { run: paths.folder, ...summary, throughput, complete, ...files, report: paths.report };
}

function formatReport(summary: RunSummary, { config, records, throughput, complete }: DeriveOptions): string {
  const rungs = [...new Set(records.map(({ sandbox, tmux_version }) => `${sandbox}, tmux ${tmux_version}`))];
  const settings = Object.entries({ ...config.context, ...config.config }).filter(([, value]) => value !== null);
  const speed =
    throughput === null
      ? []
      : [
          `${throughput.episodes_per_s.toFixed(2)} episodes/s, ${throughput.cpu_ms_per_episode.toFixed(0)} ms of CPU an ` +
            `episode, ${throughput.wall_s.toFixed(1)} s.`,
          '',
        ];
  return [
    '# muxgym eval',
    '',
    `${formatHeading(summary)}${complete ? '' : ' (not complete: run the same command again)'}.`,
    '',
    formatMarkdown(makeGrid(summary)),
    '',
    gridLegend,
    '',
    ...speed,
    `Sandbox: ${rungs.join('; ') || 'none'}.`,
    '',
    '## Configuration',
    '',
    ...settings.map(([key, value]) => `- ${key}: ${value}`),
    '',
    `Records: \`${summary.episodes_file}\`, tables: \`${summary.arrow_file}\`, \`${summary.steps_file}\`.`,
    '',
  ].join('\n');
}
