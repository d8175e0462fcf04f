import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { InputError } from '../../env/index.ts';

/** A line and the byte at which it begins. */
export interface JsonLine<Value> {
  readonly value: Value;
  readonly offset: number;
}

export interface JsonLinesOptions {
  /** The byte to begin at: the first of a line. @default 0 */
  readonly from?: number;
  /** Told of a last line without its end, which a crash leaves; it is not read. */
  readonly onTorn?: (offset: number) => void;
}

/**
 * Reads a file of JSON lines in order, one at a time. A last line that lacks its line feed was torn and is left out.
 * Throws an InputError (`E_RECORD`, with file and line) for any other line that does not fit the schema.
 */
export async function* readJsonLines<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  options: JsonLinesOptions = {},
): AsyncGenerator<JsonLine<z.output<Schema>>> {
  let number = 0;
  for await (const { text, offset, whole } of readLines(path, options.from ?? 0)) {
    number += 1;
    if (!whole) {
      options.onTorn?.(offset);
      return;
    }
    if (text.trim() !== '') yield { value: parseLine(text, schema, `${path}:${number}`), offset };
  }
}

function parseLine<Schema extends z.ZodType>(text: string, schema: Schema, where: string): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw recordError(where, 'one JSON object', (cause as Error).message, cause);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw recordError(where, 'a record of schema 1', `${issue?.path.join('.')}: ${issue?.message}`, parsed.error);
}

function recordError(where: string, expected: string, found: string, cause: unknown): InputError {
  return new InputError({ code: 'E_RECORD', what: 'Cannot read a record', where, expected, found, cause });
}

interface RawLine {
  readonly text: string;
  readonly offset: number;
  /** False for a last line without line feed. */
  readonly whole: boolean;
}

/** Splits at line feeds, as bytes, so that offsets are exact. */
async function* readLines(path: string, from: number): AsyncGenerator<RawLine> {
  let rest: Buffer[] = [];
  let offset = from;
  for await (const chunk of createReadStream(path, { start: from, highWaterMark: 1 << 20 })) {
    let begin = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
      const line = Buffer.concat([...rest, chunk.subarray(begin, end)]);
      yield { text: line.toString('utf8'), offset, whole: true };
      offset += line.length + 1;
      rest = [];
      begin = end + 1;
    }
    if (begin < chunk.length) rest.push(chunk.subarray(begin));
  }
  if (rest.length > 0) yield { text: Buffer.concat(rest).toString('utf8'), offset, whole: false };
}
