import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckOp } from '../task/index.ts';
import { scoreMultiset, scoreOp } from './op.ts';

describe('scoreMultiset()', () => {
  test.each([
    ['all right', 'a\nb\nc\nd', 1],
    ['in another order, with blanks', '\n  d\nc \r\n\nb\na\n\n', 1],
    ['one missing', 'a\nb\nc', 0.75],
    ['one missing, one wrong', 'a\nb\nc\nx', 0.5],
    ['one wrong beside all', 'a\nb\nc\nd\nx', 0.75],
    ['a line twice', 'a\na\nb\nc\nd', 0.75],
    ['everything in sight, as many decoys as tokens', 'a\nb\nc\nd\nw\nx\ny\nz', 0],
    ['more wrong than right', 'a\nx\ny', 0],
    ['nothing', '', 0],
    ['another case', 'A\nB\nC\nD', 0],
    ['a token inside a line', 'token a\ntoken b\ntoken c\ntoken d', 0],
  ])('scores as METRICS says, when the report has %s', (_, report, score) => {
    expect(scoreMultiset(report, ['a', 'b', 'c', 'd'])).toBe(score);
  });

  test('counts how often a line is expected', () => {
    expect(scoreMultiset('a\na\nb', ['a', 'a', 'b'])).toBe(1);
    expect(scoreMultiset('a\nb\nb', ['a', 'a', 'b'])).toBeCloseTo(1 / 3);
  });

  test('scores 1 for an empty report alone, when nothing is expected', () => {
    expect(scoreMultiset(' \n\n', [])).toBe(1);
    expect(scoreMultiset('a', [])).toBe(0);
  });

  test('scores 0, when there are more than 1,000 lines', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `${index}`);
    expect(scoreMultiset(lines.join('\n'), lines)).toBe(1);
    expect(scoreMultiset([...lines, 'x'].join('\n'), [...lines, 'x'])).toBe(0);
  });

  test('is 1 exactly where the multisets are equal, and stays in [0, 1]', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(line, { maxLength: 8 }), (report, expected) => {
        const score = scoreMultiset(report.join('\n'), expected);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(score === 1).toBe([...report].sort().join() === [...expected].sort().join());
      }),
    );
  });
});

describe('scoreOp()', () => {
  test.each<[CheckOp, string, string[], 0 | 1]>([
    ['eq', ' 42\n', ['42'], 1],
    ['eq', '42.0', ['42'], 0],
    ['ne', '41', ['42'], 1],
    ['ne', '42 ', ['42'], 0],
    ['lt', '9', ['10'], 1],
    ['lt', '10', ['10'], 0],
    ['le', '10', ['10'], 1],
    ['le', '11', ['10'], 0],
    ['gt', '11', ['10'], 1],
    ['gt', '10', ['10'], 0],
    ['ge', '10', ['10'], 1],
    ['ge', '9', ['10'], 0],
    ['lt', '', ['10'], 0],
    ['lt', 'x', ['10'], 0],
    ['lt', '-Infinity', ['10'], 0],
    ['ge', 'NaN', ['0'], 0],
    ['regex', 'abc', ['^a.c$'], 1],
    ['regex', 'abcd', ['^a.c$'], 0],
    ['in', 'b', ['a', 'b'], 1],
    ['in', 'a b', ['a', 'b'], 0],
    ['contains', 'xaby', ['ab'], 1],
    ['contains', 'xa by', ['ab'], 0],
    // printf 'a\nb\n' | sha256sum
    ['sha256', '910c8bc73110b0cd1bc5d2bcae782511\n', ['a', 'b'], 0],
    ['sha256', '911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2\n', ['a', 'b'], 1],
    ['sha256', '911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2', ['b', 'a'], 0],
    ['nonempty', 'x', [], 1],
    ['nonempty', ' \n', [], 0],
    ['multiset', 'b\na', ['a', 'b'], 1],
    ['multiset', 'c', ['a', 'b'], 0],
  ])('%s of %j and %j is %d', (op, text, expected, score) => {
    expect(scoreOp(op, text, expected)).toBe(score);
  });
});
