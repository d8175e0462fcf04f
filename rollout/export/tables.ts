import {
  type ArrowFile,
  makeEpisodeRow,
  makeEventRows,
  makeStepRows,
  makeTaskRow,
  makeTurnRows,
  type TableName,
} from '../arrow/index.ts';
import type { ExportSource } from './export-source.ts';

/** Rows of each table that was written. */
export type TableRows = Readonly<Partial<Record<TableName, number>>>;

/** Writes every table of a source, in one pass over its traces. */
export async function exportTables(source: ExportSource, open: (table: TableName) => ArrowFile): Promise<TableRows> {
  const written: Partial<Record<TableName, number>> = {};
  const keep = async (table: TableName, file: ArrowFile) => {
    await file.publish();
    written[table] = file.rows;
  };
  await using tasks = open('tasks');
  for await (const task of source.tasks()) tasks.append(makeTaskRow(task, source.split));
  await keep('tasks', tasks);
  if (source.run === null) return written;

  await using episodes = open('episodes');
  await using steps = open('steps');
  await using turns = open('turns');
  await using events = open('events');
  for await (const { record, trace } of source.run.episodes()) {
    episodes.append(makeEpisodeRow(record));
    for (const row of makeStepRows(record, trace)) steps.append(row);
    for (const row of makeTurnRows(record, trace)) turns.append(row);
    for (const row of makeEventRows(record)) events.append(row);
  }
  await keep('episodes', episodes);
  await keep('steps', steps);
  await keep('turns', turns);
  await keep('events', events);
  return written;
}
