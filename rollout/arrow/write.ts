import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeData, RecordBatch, RecordBatchStreamWriter, type Schema, Struct } from 'apache-arrow';
import { encodeColumn } from './column.ts';
import { makeSchema, type TableName } from './schema.ts';

/** A row by column name; a column that is absent is null. */
export type Row = Readonly<Record<string, unknown>>;

/** A table that is being written beside its place. */
export interface ArrowFile extends AsyncDisposable {
  /** Rows so far. */
  readonly rows: number;
  /** Throws a RangeError or TypeError for a value that does not fit its column. */
  append(row: Row): void;
  /** Puts the table in its place at once, durably: readers see the old one or this one. Without it, disposal drops it. */
  publish(): Promise<void>;
}

/**
 * Rows of the next record batch, after `written` ones: what a cut there loses. Small at first, so that a cut keeps most
 * of a small table too, then large, since each batch has its cost.
 */
function batchRows(written: number): number {
  return Math.min(1_000, Math.max(16, written >> 2));
}

/** Begins a table as an Arrow IPC stream, in batches. */
export function createArrow(path: string, table: TableName): ArrowFile {
  const schema = makeSchema(table);
  const writer = new RecordBatchStreamWriter();
  const draft = `${path}.tmp`;
  writer.reset(undefined, schema);
  const file = createWriteStream(draft);
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  const written = pipeline(writer, file);
  written.catch(() => undefined); // publish() throws it
  let count = 0;
  let batch: Row[] = [];
  let state: 'open' | 'published' = 'open';
  const flush = () => {
    if (batch.length > 0) writer.write(makeBatch(schema, batch));
    batch = [];
  };
  return {
    get rows() {
      return count;
    },
    append: (row) => {
      batch.push(row);
      count += 1;
      if (batch.length >= batchRows(count - batch.length)) flush();
    },
    publish: async () => {
      flush();
      writer.close();
      await written;
      await publish(draft, path);
      state = 'published';
    },
    [Symbol.asyncDispose]: async () => {
      if (state === 'published') return;
      writer.abort(new Error('The table was dropped'));
      // A file that is still being opened would come after its removal.
      await Promise.allSettled([written, closed]);
      await rm(draft, { force: true });
    },
  };
}

/** Writes a whole table, as `createArrow` does. Returns the number of rows. */
export async function writeArrow(
  path: string,
  table: TableName,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<number> {
  await using file = createArrow(path, table);
  for await (const row of rows) file.append(row);
  await file.publish();
  return file.rows;
}

/** The rows as one batch. */
export function makeBatch(schema: Schema, rows: readonly Row[]): RecordBatch {
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
