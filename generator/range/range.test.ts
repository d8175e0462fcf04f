import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../env/index.ts';
import { depthAxis, opsAxis, parseRange, seedAxis } from './range.ts';
import { countValues, hasValue, intersectSpans, isWithin, makeSpans, valuesOf } from './spans.ts';

const ops = fc.integer({ min: 1, max: 64 });
const opsSpan = fc.tuple(ops, ops).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const opsSpans = fc.array(opsSpan, { minLength: 1, maxLength: 8 });
const valuesIn = (spans: readonly { from: number; to: number }[]) =>
  Array.from({ length: 64 }, (_, index) => index + 1).filter((value) =>
    spans.some(({ from, to }) => from <= value && value <= to),
  );

test('parseRange() reads the values that were written, when spans overlap and come in any order', () => {
  fc.assert(
    fc.property(opsSpans, (spans) => {
      const parsed = parseRange(
        spans.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(','),
        opsAxis,
        'x',
      );
      expect([...valuesOf(parsed)]).toEqual(valuesIn(spans));
      expect(countValues(parsed)).toBe(valuesIn(spans).length);
    }),
  );
});

test('intersectSpans() and isWithin() agree with sets, when spans are arbitrary', () => {
  fc.assert(
    fc.property(opsSpans, opsSpans, (left, right) => {
      const both = valuesIn(left).filter((value) => valuesIn(right).includes(value));
      expect([...valuesOf(intersectSpans(makeSpans(left), makeSpans(right)))]).toEqual(both);
      expect(isWithin(makeSpans(left), makeSpans(right))).toBe(both.length === valuesIn(left).length);
    }),
  );
});

test('parseRange() returns spans or throws an InputError, when the text is arbitrary', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        expect(parseRange(text, seedAxis, '--seeds').length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }),
  );
});

test.each([
  ['D0-D4', [0, 1, 2, 3, 4]],
  ['D0,D2', [0, 2]],
  ['d1', [1]],
  ['0-2', [0, 1, 2]],
])('parseRange() reads depths, when they are written as %s', (text, values) => {
  expect([...valuesOf(parseRange(text, depthAxis, '--depths'))]).toEqual(values);
});

test.each([
  ['D7', depthAxis, 'E_DEPTH'],
  ['D0-D5', depthAxis, 'E_DEPTH'],
  ['0', opsAxis, 'E_OPS'],
  ['65', opsAxis, 'E_OPS'],
  ['-5', seedAxis, 'E_SEED'],
  ['9007199254740992', seedAxis, 'E_SEED'],
  ['', opsAxis, 'E_RANGE'],
  ['1,', opsAxis, 'E_RANGE'],
  ['1-', opsAxis, 'E_RANGE'],
  ['4-1', opsAxis, 'E_RANGE'],
  ['1.5', opsAxis, 'E_RANGE'],
  ['0x1', seedAxis, 'E_RANGE'],
  ['D1', opsAxis, 'E_RANGE'],
])('parseRange() names the mistake, when the text is "%s"', (text, axis, code) => {
  expect(() => parseRange(text, axis, '--flag')).toThrow(expect.objectContaining({ code }));
});

test('valuesOf() is lazy and ends, when the span reaches the last safe integer', () => {
  const spans = parseRange('0-9007199254740991', seedAxis, '--seeds');
  expect(valuesOf(spans).next().value).toBe(0);
  const last = parseRange('9007199254740990-9007199254740991', seedAxis, '--seeds');
  expect([...valuesOf(last)]).toEqual([Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER]);
  expect(hasValue(last, Number.MAX_SAFE_INTEGER)).toBe(true);
});
