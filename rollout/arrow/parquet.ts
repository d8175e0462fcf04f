import { mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordBatchStreamWriter } from 'apache-arrow';
import { Compression, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import { makeSchema, type TableName } from './schema.ts';
import { type ArrowFile, makeBatch, type Row } from './write.ts';

/** Rows of one file, at most: what is held in memory at a time. */
const fileRows = 50_000;

/**
 * Begins a table as Parquet files in a folder of its own, `part-00000.parquet` and up, compressed with zstd; a table
 * without rows is one file with its schema. Files are complete before they appear; publish() writes the last one.
 */
export function createParquet(folder: string, table: TableName): ArrowFile {
  mkdirSync(folder, { recursive: true });
  let rows: Row[] = [];
  let count = 0;
  let parts = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = () => {
    const bytes = encodeParquet(table, rows);
    const path = join(folder, `part-${String(parts).padStart(5, '0')}.parquet`);
    rows = [];
    parts += 1;
    writing = writing.then(() => writeWhole(path, bytes));
    writing.catch(() => undefined); // publish() throws it
  };
  return {
    get rows() {
      return count;
    },
    append: (row) => {
      rows.push(row);
      count += 1;
      if (rows.length >= fileRows) flush();
    },
    publish: async () => {
      if (rows.length > 0 || parts === 0) flush();
      await writing;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled([writing]);
    },
  };
}

/** Arrow's own types, as the schema has them; the schema's metadata stays in the file. */
function encodeParquet(table: TableName, rows: readonly Row[]): Uint8Array {
  const schema = makeSchema(table);
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  writer.write(makeBatch(schema, rows));
  writer.close();
  const properties = new WriterPropertiesBuilder().setCompression(Compression.ZSTD).build();
  return writeParquet(Table.fromIPCStream(writer.toUint8Array(true)), properties);
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    await using file = await open(draft, 'w');
    await file.writeFile(bytes);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
