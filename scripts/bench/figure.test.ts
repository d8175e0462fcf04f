import { describe, expect, test } from 'vitest';
import { makeFigure } from './figure.ts';

describe('makeFigure()', () => {
  test('makeFigure() compares the ratio of medians, when a floor is given', () => {
    const target = { of: 'ratio', relation: '<=', limit: 1.3 } as const;
    const figure = makeFigure({ name: 'cpu', unit: 'ms', values: [13, 90, 12], floors: [10, 10], target });
    expect(figure).toEqual({
      name: 'cpu',
      unit: 'ms',
      median: 13,
      min: 12,
      max: 90,
      floor: 10,
      ratio: 1.3,
      target: 'ratio <= 1.3',
      ok: true,
    });
    expect(makeFigure({ name: 'cpu', unit: 'ms', values: [14], floors: [10], target }).ok).toBe(false);
  });

  test('makeFigure() compares the median, when the target says so', () => {
    const target = { of: 'median', relation: '>=', limit: 100 } as const;
    expect(makeFigure({ name: 'rate', unit: '/s', values: [99, 100, 101, 200], target })).toMatchObject({
      median: 100.5,
      ok: true,
    });
    expect(makeFigure({ name: 'rate', unit: '/s', values: [99], target }).ok).toBe(false);
  });

  test('makeFigure() is not ok, when the floor that the target needs is missing', () => {
    const target = { of: 'ratio', relation: '<=', limit: 1.3 } as const;
    expect(makeFigure({ name: 'cpu', unit: 'ms', values: [1], target }).ok).toBe(false);
  });

  test('makeFigure() throws, when there are no samples', () => {
    expect(() => makeFigure({ name: 'x', unit: 'ms', values: [] })).toThrow(RangeError);
  });
});
