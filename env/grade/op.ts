import type { CheckOp } from '../task/index.ts';

const maximumLines = 1_000;

/**
 * How far a text meets what was expected, in [0, 1]. All operators but `multiset` compare the trimmed text and give 0
 * or 1.
 */
export function scoreOp(op: CheckOp, text: string, expected: readonly string[]): number {
  if (op === 'multiset') return scoreMultiset(text, expected);
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
  }
}

/**
 * max(0, tp - fp) / |E| over the lines of the value (trimmed, empty ones dropped) and the expected ones, as multisets:
 * a wrong line costs what a right one earns (METRICS, "Cliff"). More than 1,000 lines score 0. It is 1 exactly where
 * both multisets are equal.
 */
export function scoreMultiset(value: string, expected: readonly string[]): number {
  const lines = value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
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

function compare(value: string, expected: string, holds: (left: number, right: number) => boolean): number {
  const left = Number(value);
  return Number(value !== '' && Number.isFinite(left) && holds(left, Number(expected)));
}
