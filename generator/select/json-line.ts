import { InputError } from '../../env/index.ts';
import type { Line } from './lines.ts';

/** Parses a line of a JSONL file. Throws an InputError (`E_JSON`) with file and line; says so where the line is torn. */
export function parseJsonLine(line: Line, path: string): unknown {
  try {
    return JSON.parse(line.text);
  } catch (cause) {
    const torn = line.ended ? '' : 'a line cut off at the end of the file, ';
    throw new InputError({
      code: 'E_JSON',
      what: 'Cannot read a line as JSON',
      where: `${path}:${line.number}`,
      expected: 'one JSON object on the line',
      found: `${torn}${cause instanceof Error ? cause.message : 'something else'}`,
      ...(line.ended ? {} : { hint: 'the file was not written to its end; make it again' }),
      cause,
    });
  }
}
