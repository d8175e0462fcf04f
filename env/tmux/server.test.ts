import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../errors.ts';
import { parsePaneId, parsePanes } from './index.ts';
import { quoteArgument } from './quote.ts';

describe('parsePanes()', () => {
  test('reads a last pane that was started without a command', () => {
    expect(parsePanes('$0 0 @0 %0 6 [0] [] \n')).toMatchObject([{ pane: '%0', start: '' }]);
  });

  test('reads living and dead panes', () => {
    const lines = [
      '$0 0 @0 %0 6 [0] [] bash --norc',
      '$0 1 @1 %12 9 [1] [3] /opt/worker w1',
      '$1 0 @7 %3 10 [1] [] ',
      '$1 2 @8 %4 11 [] [] x',
    ];
    expect(parsePanes(`${lines.join('\n')}\n`)).toEqual([
      {
        session: '$0',
        index: 0,
        window: '@0',
        pane: '%0',
        start: 'bash --norc',
        pid: 6,
        dead: false,
        deadStatus: null,
      },
      {
        session: '$0',
        index: 1,
        window: '@1',
        pane: '%12',
        start: '/opt/worker w1',
        pid: 9,
        dead: true,
        deadStatus: 3,
      },
      { session: '$1', index: 0, window: '@7', pane: '%3', start: '', pid: 10, dead: true, deadStatus: null },
      { session: '$1', index: 2, window: '@8', pane: '%4', start: 'x', pid: 11, dead: false, deadStatus: null },
    ]);
  });

  test.each([
    '',
    'no server running',
    '$0 0 @0 %0 6 [0]',
    'w 0 @0 %0 6 [0] [] x',
    '$0 0 %0 @0 6 [0] [] x',
    '$0 0 @0 %0 x [0] [] x',
    '$0 0 @0 %0 6 [2] [] x',
  ])('throws a BoundaryError, when a line is %j', (line) => {
    expect(() => parsePanes(`$0 0 @0 %0 6 [0] [] x\n${line}\n$0 1 @1 %1 7 [0] [] x\n`)).toThrow(BoundaryError);
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
