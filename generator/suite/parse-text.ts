import { readFileSync, statSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { InputError } from '../../env/index.ts';
import { makePlacedError, type Source } from './problem.ts';

/** A task is read by people: far less than this. */
const maximumBytes = 1 << 20;

/**
 * Reads the text of a task file. Throws an InputError: `E_TASK_FILE` where it cannot be read, `E_TASK_SIZE`,
 * `E_TASK_ENCODING` where it is not UTF-8, `E_TASK_BOM`, `E_TASK_CRLF`, each with its place.
 */
export function readSource(path: string): Source {
  const bytes = readBytes(path);
  return checkText({ path, text: decode(bytes, path) });
}

/** Refuses what is no plain text: `E_TASK_BOM`, `E_TASK_CRLF`. Returns the source as it is. */
export function checkText(source: Source): Source {
  const { path, text } = source;
  if (text.startsWith('\uFEFF')) {
    const problem = {
      code: 'E_TASK_BOM',
      what: 'Cannot read a task file',
      expected: 'UTF-8 without a byte order mark',
    };
    throw makePlacedError({ path, text: text.slice(1) }, problem, { line: 1, column: 1 });
  }
  const at = text.indexOf('\r');
  if (at < 0) return source;
  const before = text.slice(0, at).split('\n');
  const what = 'Cannot read a task file: a carriage return would end up in its scripts';
  const problem = {
    code: 'E_TASK_CRLF',
    what,
    expected: 'lines that end with a line feed',
    found: 'a carriage return',
  };
  throw makePlacedError(source, problem, { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
}

/**
 * Parses the text of a task file. Throws an InputError with its place: `E_TASK_TOML` for what is no TOML,
 * `E_TASK_INTEGER` for an integer that is not exact.
 */
export function parseSource(source: Source): Readonly<Record<string, unknown>> {
  try {
    return parse(source.text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const found = (/^Invalid TOML document: (.*)/.exec(error.message)?.[1] ?? 'something else').trim();
    const integer = found.includes('losslessly');
    const problem = integer
      ? { code: 'E_TASK_INTEGER', what: 'Cannot read a number', expected: 'a whole number up to 2^53 - 1', found }
      : { code: 'E_TASK_TOML', what: 'Cannot read a task file', expected: 'TOML', found };
    throw makePlacedError(source, problem, { line: error.line, column: error.column });
  }
}

function readBytes(path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= maximumBytes) return readFileSync(path);
    throw new InputError({
      code: 'E_TASK_SIZE',
      what: 'Cannot read a task file',
      where: `${path}:1:1`,
      expected: `at most ${maximumBytes} bytes`,
      found: `${size} bytes`,
    });
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    const found = cause instanceof Error && 'code' in cause ? String(cause.code) : 'an unreadable one';
    throw new InputError({ code: 'E_TASK_FILE', what: 'Cannot read a task file', where: path, found, cause });
  }
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const valid = countValid(bytes);
    const before = bytes.toString('utf8', 0, valid).split('\n');
    throw new InputError({
      code: 'E_TASK_ENCODING',
      what: 'Cannot read a task file',
      where: `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`,
      expected: 'UTF-8',
      found: `byte 0x${(bytes[valid] ?? 0).toString(16)}`,
      cause,
    });
  }
}

/** How many bytes stand before the first that is no UTF-8. */
function countValid(bytes: Buffer): number {
  const shown = Buffer.from(bytes.toString('utf8'));
  const length = Math.min(bytes.length, shown.length);
  for (let index = 0; index < length; index++) if (bytes[index] !== shown[index]) return index;
  return length;
}
