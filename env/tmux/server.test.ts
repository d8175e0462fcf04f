import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../errors.ts';
import { parsePaneId, parsePanes } from './index.ts';
import { quoteArgument } from './quote.ts';

describe('parsePanes()', () => {
  test('reads living and dead panes', () => {
    expect(parsePanes('shell %0 6 [0] []\nw1 %12 9 [1] [3]\nw2 %3 10 [1] []\nw3 %4 11 [] []\n')).toEqual([
      { window: 'shell', pane: '%0', pid: 6, dead: false, deadStatus: null },
      { window: 'w1', pane: '%12', pid: 9, dead: true, deadStatus: 3 },
      { window: 'w2', pane: '%3', pid: 10, dead: true, deadStatus: null },
      { window: 'w3', pane: '%4', pid: 11, dead: false, deadStatus: null },
    ]);
  });

  test.each([
    '',
    'no server running',
    'w %0 6 [0]',
    'a b %0 6 [0] []',
    'w @0 6 [0] []',
    'w %0 x [0] []',
    'w %0 6 [2] []',
  ])('throws a BoundaryError, when a line is %j', (line) => {
    expect(() => parsePanes(`shell %0 6 [0] []\n${line}\nw1 %1 7 [0] []\n`)).toThrow(BoundaryError);
  });
});

describe('parsePaneId()', () => {
  test('takes % and digits only', () => {
    expect(parsePaneId('%0')).toBe('%0');
    for (const bad of ['', '%', '0', '@1', '%1 ', '%-1', '%1\n', 'x%1'])
      expect(() => parsePaneId(bad)).toThrow(RangeError);
  });
});

describe('quoteArgument()', () => {
  test('closes the quotes only around a quote', () => {
    expect(quoteArgument('')).toBe("''");
    expect(quoteArgument('$HOME "x" #{pid}; \\')).toBe(`'$HOME "x" #{pid}; \\'`);
    expect(quoteArgument("it's")).toBe("'it'\\''s'");
  });
});
