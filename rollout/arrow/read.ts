import { readFile } from 'node:fs/promises';
import { type RecordBatch, RecordBatchReader, Table } from 'apache-arrow';
import { InputError } from '../../env/index.ts';

export interface ArrowRead {
  /** All whole batches. */
  readonly table: Table;
  /** `E_ARROW_CUT`, with the rows that were read, where the file ends too early; null where it is whole. */
  readonly cut: InputError | null;
}

/** The file format's first bytes. */
const fileMagic = 'ARROW1';
/** How a stream begins each message, and how it ends: a continuation mark, the latter with length 0. */
const continuation = 0xffffffff;

/**
 * Reads an Arrow IPC stream up to its end or to its last whole batch. Throws an InputError (`E_ARROW_FORMAT`) for
 * anything but a stream, naming the right call for the file format, and `E_ARROW_CUT` where not even the schema is
 * whole.
 */
export async function readArrow(path: string): Promise<ArrowRead> {
  const bytes = await readBytes(path);
  refuseOtherFormats(path, bytes);
  const batches: RecordBatch[] = [];
  let failure: unknown;
  const reader = openReader(path, bytes);
  try {
    for (const batch of reader) batches.push(batch);
  } catch (error) {
    failure = error;
  }
  const table = new Table(reader.schema, batches);
  const whole = failure === undefined && endsWhole(bytes);
  return { table, cut: whole ? null : cutError(path, bytes.length, table.numRows, failure) };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw formatError(path, 'a readable file', (cause as Error).message);
  }
}

function refuseOtherFormats(path: string, bytes: Buffer): void {
  if (bytes.subarray(0, fileMagic.length).toString('latin1') === fileMagic) {
    const hint = 'read it with tableFromIPC(bytes), pyarrow.ipc.open_file(path) or polars.read_ipc(path)';
    throw formatError(path, 'an Arrow IPC stream', 'the Arrow file format', hint);
  }
  if (bytes.length === 0) throw cutError(path, 0, 0, undefined);
  if (bytes.length < 8) throw cutError(path, bytes.length, 0, undefined);
  if (bytes.readUInt32LE(0) !== continuation) throw formatError(path, 'an Arrow IPC stream', 'other bytes');
}

function openReader(path: string, bytes: Buffer): RecordBatchReader {
  try {
    const reader = RecordBatchReader.from(bytes).open();
    if (reader.schema !== undefined) return reader;
  } catch (cause) {
    throw cutError(path, bytes.length, 0, cause);
  }
  throw cutError(path, bytes.length, 0, undefined);
}

function endsWhole(bytes: Buffer): boolean {
  return bytes.readUInt32LE(bytes.length - 8) === continuation && bytes.readUInt32LE(bytes.length - 4) === 0;
}

function cutError(path: string, size: number, rows: number, cause: unknown): InputError {
  return new InputError({
    code: 'E_ARROW_CUT',
    what: 'The Arrow stream is cut',
    where: `${path}, byte ${size}`,
    expected: 'its end mark',
    found: `the end of the file after ${rows} whole rows`,
    hint: 'the rows up to there are sound; re-run the command that wrote it, which makes it again from episodes.jsonl',
    cause,
  });
}

function formatError(where: string, expected: string, found: string, hint?: string): InputError {
  const facts = { code: 'E_ARROW_FORMAT', what: 'Cannot read an Arrow stream', where, expected, found };
  return new InputError(hint === undefined ? facts : { ...facts, hint });
}
