import { closeSync, openSync, readSync } from 'node:fs';
import { InputError } from '../../env/index.ts';

const newline = 0x0a;

/** One line of a text file, without its newline; lines count from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
  /** False for a last line without a newline. */
  readonly ended: boolean;
}

/**
 * The lines of a UTF-8 file, one at a time: memory does not grow with the file. The file is closed when the iteration
 * ends, early or not. Throws an InputError (`E_FILE`) where it cannot be opened.
 */
export function* readLines(path: string): Generator<Line, void, undefined> {
  const file = openFile(path);
  try {
    yield* linesOf(file);
  } finally {
    closeSync(file);
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    const found = cause instanceof Error && 'code' in cause ? String(cause.code) : 'an unreadable one';
    throw new InputError({
      code: 'E_FILE',
      what: 'Cannot open a file',
      where: path,
      expected: 'a readable file',
      found,
    });
  }
}

function* linesOf(file: number): Generator<Line, void, undefined> {
  const chunk = Buffer.alloc(65_536);
  let rest: Buffer = Buffer.alloc(0);
  let number = 1;
  for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      yield { number, text: bytes.toString('utf8', start, end), ended: true };
      number += 1;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield { number, text: rest.toString('utf8'), ended: false };
}
