import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { hashTask, InputError, packageRoot, type Task } from '../../env/index.ts';
import { createArrow, createParquet, type TableName } from '../arrow/index.ts';
import { makeAtif } from './atif.ts';
import { formatCard } from './card.ts';
import type { ExportSource } from './export-source.ts';
import { writeHarborTask } from './harbor.ts';
import { makeOracleRow, makeSftRow, type SftRow } from './sft.ts';
import { exportTables } from './tables.ts';

export const exportFormats = ['arrow', 'parquet', 'sft', 'atif', 'harbor', 'hf'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  readonly source: ExportSource;
  readonly format: ExportFormat;
  readonly folder: string;
  /** Remove what is in the folder first. @default false */
  readonly clean?: boolean;
  /** The image that Harbor tasks start from. @default muxgym:VERSION */
  readonly image?: string | undefined;
}

export interface ExportSummary {
  readonly format: ExportFormat;
  readonly out: string;
  /** Rows, files or folders by what they are, such as `steps` or `trajectories`. */
  readonly written: Readonly<Record<string, number>>;
}

/**
 * Writes a run or tasks in another format, into a new or empty folder. Throws an InputError for a folder that holds
 * something (`E_OUT`), and for a format that needs episodes where only tasks are given (`E_FORMAT`).
 */
export async function exportData(options: ExportOptions): Promise<ExportSummary> {
  const { format, folder, source } = options;
  if (format === 'atif' && source.run === null) throw formatError(format);
  refuseItself(folder, source.run === null ? null : source.name);
  takeFolder(folder, options.clean ?? false);
  return { format, out: folder, written: await write(options) };
}

async function write({ format, folder, source, image }: ExportOptions): Promise<Readonly<Record<string, number>>> {
  switch (format) {
    case 'arrow': {
      const written = await exportTables(source, (table) => createArrow(join(folder, `${table}.arrow`), table));
      writeFileSync(join(folder, 'README.md'), arrowNote);
      return written;
    }
    case 'parquet':
      return await exportTables(source, (table) => createParquet(join(folder, table), table));
    case 'sft':
      return await writeSft(source, folder);
    case 'atif':
      return await writeTrajectories(source, folder);
    case 'harbor':
      return await writeHarborTasks(source, folder, image);
    case 'hf':
      return await writeHub(source, folder);
  }
}

/** To clean a folder that holds the run would remove what is to be read. */
function refuseItself(folder: string, run: string | null): void {
  if (run === null || !existsSync(folder)) return;
  const inside = relative(realpathSync(folder), realpathSync(run));
  if (inside === '..' || inside.startsWith(`..${sep}`)) return;
  throw new InputError({
    code: 'E_OUT',
    what: 'Cannot export a run into a folder that holds it',
    where: folder,
    expected: 'a folder beside the run, or below it',
    found: run,
  });
}

function takeFolder(folder: string, clean: boolean): void {
  if (clean) rmSync(folder, { recursive: true, force: true });
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new InputError({
      code: 'E_OUT',
      what: 'Cannot export into a folder that holds something',
      where: folder,
      expected: 'a new or empty folder',
      found: readdirSync(folder).slice(0, 3).join(', '),
      hint: 'choose another --out, or remove what is there with --clean',
    });
  }
  mkdirSync(folder, { recursive: true });
}

function formatError(format: ExportFormat): InputError {
  return new InputError({
    code: 'E_FORMAT',
    what: `Cannot export tasks as ${format}`,
    where: '--format',
    expected: 'a run folder: only what was played has a trajectory',
    found: 'tasks',
  });
}

const arrowNote = `# Arrow IPC streams

Each file is a *stream* under the fixed schema of its table:

- Python: \`pyarrow.ipc.open_stream(path).read_all()\`, \`polars.read_ipc_stream(path)\`,
  \`datasets.load_dataset("arrow", data_files=path)\`
- TypeScript: \`readArrow(path)\`
- DuckDB and pandas read the Parquet export.

\`open_file\`, \`read_ipc\` and \`read_feather\` are for the Arrow file format and refuse streams.
`;

/** One row an episode that passed, or one a task; `skipped` are those that cannot be told as a demonstration. */
async function writeSft(source: ExportSource, folder: string) {
  let rows = 0;
  let skipped = 0;
  await using file = await open(join(folder, 'train.jsonl'), 'w');
  for await (const row of listDemonstrations(source)) {
    if (row === null) skipped += 1;
    else {
      rows += 1;
      await file.appendFile(`${JSON.stringify(row)}\n`);
    }
  }
  return { rows, skipped };
}

async function* listDemonstrations(source: ExportSource): AsyncGenerator<SftRow | null> {
  if (source.run === null) {
    for await (const task of source.tasks()) yield makeOracleRow(task, hashTask(task), source.split);
    return;
  }
  const tasks = await readTasksByHash(source);
  for await (const episode of source.run.episodes()) {
    const task = tasks.get(episode.record.task_hash);
    yield task === undefined ? null : makeSftRow(episode, task.prompt, task.limits.steps);
  }
}

async function readTasksByHash(source: ExportSource): Promise<ReadonlyMap<string, Task>> {
  const tasks = new Map<string, Task>();
  for await (const task of source.tasks()) tasks.set(hashTask(task), task);
  return tasks;
}

async function writeTrajectories(source: ExportSource, folder: string) {
  const tasks = await readTasksByHash(source);
  const origin = { version: readVersion(), session: source.name };
  let trajectories = 0;
  for await (const episode of source.run?.episodes() ?? []) {
    const { episode: key, task_hash } = episode.record;
    const name = key.replace(/[^A-Za-z0-9._-]+/g, '_');
    mkdirSync(join(folder, name), { recursive: true });
    const value = makeAtif(episode, tasks.get(task_hash)?.prompt ?? '', origin);
    writeFileSync(join(folder, name, 'trajectory.json'), `${JSON.stringify(value, null, 2)}\n`);
    trajectories += 1;
  }
  return { trajectories };
}

async function writeHarborTasks(source: ExportSource, folder: string, image: string | undefined) {
  const version = readVersion();
  let tasks = 0;
  for await (const task of source.tasks()) {
    writeHarborTask(folder, task, { image: image ?? `muxgym:${version}`, version, split: source.split });
    tasks += 1;
  }
  return { tasks };
}

/** A folder that `datasets` loads and the Hub shows: a configuration a table, and the card. */
async function writeHub(source: ExportSource, folder: string) {
  const open = (table: TableName) => createParquet(join(folder, 'data', table), table);
  const tables = await exportTables(source, open);
  const generator = await firstGenerator(source);
  const card = formatCard({ source, rows: tables, version: readVersion(), generator });
  writeFileSync(join(folder, 'README.md'), card);
  return { ...tables };
}

async function firstGenerator(source: ExportSource): Promise<string> {
  for await (const { generator } of source.tasks()) return generator;
  return 'none';
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  return version;
}
