import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeData, RecordBatch, RecordBatchStreamWriter, type Schema, Struct } from 'apache-arrow';
import { encodeColumn } from './column.ts';
import { makeSchema, type TableName } from './schema.ts';

/** A row by column name; a column that is absent is null. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Rows of the next record batch, after `written` ones: what a cut there loses. Small at first, so that a cut keeps most
 * of a small table too, then large, since each batch has its cost.
 */
function batchRows(written: number): number {
  return Math.min(1_000, Math.max(16, written >> 2));
}

/**
 * Writes a table as an Arrow IPC stream, in batches, beside its place and then into it, so that readers see the old
 * table or the new one. Returns the number of rows.
 */
export async function writeArrow(
  path: string,
  table: TableName,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<number> {
  const schema = makeSchema(table);
  const writer = new RecordBatchStreamWriter();
  const draft = `${path}.tmp`;
  writer.reset(undefined, schema);
  const written = pipeline(writer, createWriteStream(draft));
  try {
    const count = await writeBatches(writer, schema, rows);
    writer.close();
    await written;
    await publish(draft, path);
    return count;
  } catch (error) {
    writer.abort(error);
    await Promise.allSettled([written]);
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeBatches(
  writer: RecordBatchStreamWriter,
  schema: Schema,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<number> {
  let count = 0;
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchRows(count)) continue;
    writer.write(makeBatch(schema, batch));
    count += batch.length;
    batch = [];
  }
  if (batch.length > 0) writer.write(makeBatch(schema, batch));
  return count + batch.length;
}

function makeBatch(schema: Schema, rows: readonly Row[]): RecordBatch {
  const children = schema.fields.map(({ name, type }) => {
    return encodeColumn(
      type,
      rows.map((row) => row[name]),
    );
  });
  const data = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new RecordBatch(schema, data);
}

async function publish(draft: string, path: string): Promise<void> {
  await sync(draft);
  await rename(draft, path);
  await sync(dirname(path));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
