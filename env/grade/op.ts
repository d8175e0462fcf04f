import { createHash } from 'node:crypto';
import type { CheckOp } from '../task/index.ts';

const maximumLines = 1_000;

/**
 * How far a text meets what was expected, in [0, 1]; null is what is not there. All operators but
 * `multiset` and `lines` compare the trimmed text and give 0 or 1.
 */
export function scoreOp(op: CheckOp, text: string | null, expected: readonly string[]): number {
  if (op === 'empty') return Number(text === null || text.trim() === '');
  if (text === null) return 0;
  if (op === 'multiset') return scoreMultiset(text, expected);
  if (op === 'lines') return scoreLines(text, expected);
  const value = text.trim();
  const first = expected[0] ?? '';
  switch (op) {
    case 'eq':
      return Number(value === first);
    case 'ne':
      return Number(value !== first);
    case 'lt':
      return compare(value, first, (left, right) => left < right);
    case 'le':
      return compare(value, first, (left, right) => left <= right);
    case 'gt':
      return compare(value, first, (left, right) => left > right);
    case 'ge':
      return compare(value, first, (left, right) => left >= right);
    case 'regex':
      return Number(new RegExp(first).test(value));
    case 'in':
      return Number(expected.includes(value));
    case 'contains':
      return Number(value.includes(first));
    case 'nonempty':
      return Number(value !== '');
    case 'sha256':
      return Number(value === sumLines(expected));
  }
}

/**
 * max(0, tp - fp) / |E| over the lines of the value (trimmed, empty ones dropped) and the expected ones, as multisets:
 * a wrong line costs what a right one earns (METRICS, "Cliff"). More than 1,000 lines score 0. It is 1 exactly where
 * both multisets are equal.
 */
export function scoreMultiset(value: string, expected: readonly string[]): number {
  const lines = linesOf(value);
  if (lines.length > maximumLines) return 0;
  const missing = new Map<string, number>();
  for (const line of expected) missing.set(line, (missing.get(line) ?? 0) + 1);
  if (expected.length === 0) return Number(lines.length === 0);
  let right = 0;
  for (const line of lines) {
    const left = missing.get(line) ?? 0;
    if (left === 0) continue;
    missing.set(line, left - 1);
    right++;
  }
  return Math.max(0, right - (lines.length - right)) / expected.length;
}

/**
 * The share of expected lines at their place, less the lines too many; 1 exactly where the lists are equal. Lines are
 * trimmed, empty ones dropped.
 */
export function scoreLines(value: string, expected: readonly string[]): number {
  const lines = linesOf(value);
  if (expected.length === 0) return Number(lines.length === 0);
  if (lines.length > maximumLines) return 0;
  const right = expected.filter((line, index) => lines[index] === line).length;
  const wrong = lines.length - right;
  return Math.max(0, right - wrong) / expected.length;
}

function sumLines(lines: readonly string[]): string {
  return createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
}

function linesOf(value: string): readonly string[] {
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function compare(value: string, expected: string, holds: (left: number, right: number) => boolean): number {
  const left = Number(value);
  return Number(value !== '' && Number.isFinite(left) && holds(left, Number(expected)));
}
