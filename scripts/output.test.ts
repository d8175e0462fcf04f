import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BoundaryError, InputError } from '../env/index.ts';
import { formatTable, runCommand, setExitCode } from './output.ts';

describe('formatTable()', () => {
  test('formatTable() puts numbers to the right, when a column holds one', () => {
    const rows = [
      { name: 'a', count: 5, note: null },
      { name: 'long', count: 1234, note: 'x' },
    ];
    const lines = formatTable(rows, [
      { title: 'name', value: ({ name }) => name },
      { title: 'count', value: ({ count }) => count },
      { title: 'note', value: ({ note }) => note },
    ]);
    expect(lines).toEqual(['name  count  note', '----  -----  ----', 'a         5  -', 'long   1234  x']);
  });
});

describe('runCommand()', () => {
  let errors: string;

  beforeEach(() => {
    errors = '';
    process.exitCode = undefined;
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      errors += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });

  test('runCommand() prints the four parts and the hint and ends with 2, when the input is wrong', async () => {
    const facts = { code: 'E_X', what: 'Cannot read', where: 'a:3', expected: 'a number', found: '"b"', hint: 'try 4' };
    await runCommand(() => {
      throw new InputError(facts);
    })();
    expect(errors).toBe('error[E_X]: Cannot read, at a:3: expected a number, found "b"\nhint: try 4\n');
    expect(process.exitCode).toBe(2);
  });

  test('runCommand() ends with 3, when the machinery broke or a bug shows', async () => {
    await runCommand(() => Promise.reject(new BoundaryError('tmux', { code: 'E_T', what: 'Cannot start tmux' })))();
    expect(process.exitCode).toBe(3);
    process.exitCode = undefined;
    await runCommand(() => Promise.reject(new RangeError('off by one')))();
    expect(errors).toContain('error[E_INTERNAL]: off by one\nRangeError: off by one\n');
    expect(process.exitCode).toBe(3);
  });

  test('setExitCode() keeps the higher code, when called twice', () => {
    setExitCode(3);
    setExitCode(1);
    expect(process.exitCode).toBe(3);
  });
});
