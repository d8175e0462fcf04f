import { InputError } from '../../env/index.ts';
import { makeSpans, type Span, type Spans } from './spans.ts';

/** One axis of a grid: what its values are called, where they lie, and the code of an error outside. */
export interface Axis {
  readonly name: string;
  readonly code: string;
  readonly min: number;
  readonly max: number;
  /** A letter that may stand before each value, in either case. */
  readonly prefix: string;
}

export const depthAxis: Axis = { name: 'depth', code: 'E_DEPTH', min: 0, max: 4, prefix: 'D' };
export const opsAxis: Axis = { name: 'op-count', code: 'E_OPS', min: 1, max: 64, prefix: '' };
export const seedAxis: Axis = { name: 'seed', code: 'E_SEED', min: 0, max: Number.MAX_SAFE_INTEGER, prefix: '' };
export const paraphraseAxis: Axis = { name: 'paraphrase', code: 'E_PARAPHRASE', min: 0, max: 99, prefix: '' };
export const levelAxis: Axis = { name: 'level', code: 'E_LEVEL', min: 0, max: 4, prefix: 'E' };
export const eventCountAxis: Axis = { name: 'number of events', code: 'E_EVENT_COUNT', min: 1, max: 8, prefix: '' };

/**
 * Reads `D0-D4`, `D0,D2`, `1,2,4` or `1-64`: values and spans of an axis, separated by commas. Throws an InputError
 * with the axis's code for a value outside, and `E_RANGE` for anything that is no range; `where` names the flag or field.
 */
export function parseRange(text: string, axis: Axis, where: string): Spans {
  return makeSpans(text.split(',').map((part) => parsePart(part.trim(), axis, where)));
}

function parsePart(part: string, axis: Axis, where: string): Span {
  const prefix = axis.prefix === '' ? '' : `${axis.prefix}?`;
  const match = new RegExp(`^${prefix}(-?\\d+)(?:-${prefix}(-?\\d+))?$`, 'i').exec(part);
  if (match?.[1] === undefined) throw rangeError(part, axis, where);
  const from = parseValue(match[1], axis, where);
  const to = match[2] === undefined ? from : parseValue(match[2], axis, where);
  if (to < from) throw rangeError(part, axis, where);
  return { from, to };
}

/** Writes spans as `parseRange` reads them, such as `D0-D2,D4`. */
export function formatRange(spans: Spans, { prefix }: Axis): string {
  return spans.map(({ from, to }) => `${prefix}${from}${to > from ? `-${prefix}${to}` : ''}`).join(',');
}

/** Reads one value of an axis, without its prefix. Throws an InputError with the axis's code outside of it. */
export function parseValue(digits: string, axis: Axis, where: string): number {
  const value = Number(digits);
  if (Number.isSafeInteger(value) && value >= axis.min && value <= axis.max) return value;
  throw new InputError({
    code: axis.code,
    what: `Cannot use ${axis.name} ${axis.prefix}${digits}`,
    where,
    expected: `a whole number from ${axis.prefix}${axis.min} to ${axis.prefix}${axis.max}`,
    found: `${axis.prefix}${digits}`,
  });
}

function rangeError(part: string, axis: Axis, where: string): InputError {
  const { prefix, min, max } = axis;
  return new InputError({
    code: 'E_RANGE',
    what: `Cannot read a range of ${axis.name}s`,
    where,
    expected: `values or ascending spans separated by commas, such as "${prefix}${min}" or "${prefix}${min}-${prefix}${max}"`,
    found: JSON.stringify(part),
  });
}
