import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sleepDurations, timeoutDurations } from './sleeper.ts';

const forEver = Number.POSITIVE_INFINITY;

describe('sleepDurations()', () => {
  test.each<[string, number]>([
    ['3', 3_000],
    ['0.0015', 2],
    ['.5', 500],
    ['1.', 1_000],
    ['+2', 2_000],
    ['2s', 2_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['1 2m .5', 121_500],
    ['-- 4', 4_000],
    ['1e2', 100_000],
    ['1e-3', 1],
    ['0x10', 16_000],
    ['infinity', forEver],
    ['inf', forEver],
  ])('reads "sleep %s" as %d ms', (words, milliseconds) => {
    expect(sleepDurations(words.split(' '))).toEqual([milliseconds]);
  });

  test('names no wait, when there is no operand, so that a program that is only starting is not released at once', () => {
    expect(sleepDurations([])).toEqual([]);
    expect(sleepDurations(['--'])).toEqual([]);
    expect(timeoutDurations([])).toEqual([]);
  });

  test('gives whole milliseconds, never less than asked for', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (seconds) => {
        const [milliseconds] = sleepDurations([seconds.toFixed(6)]);
        expect(Number.isInteger(milliseconds)).toBe(true);
        expect(milliseconds! + 1e-6).toBeGreaterThanOrEqual(Number(seconds.toFixed(6)) * 1_000);
        expect(milliseconds! - 1).toBeLessThan(Number(seconds.toFixed(6)) * 1_000 + 1e-6);
      }),
    );
  });
});

describe('timeoutDurations()', () => {
  test.each<[string, number[]]>([
    ['2 cat', [2_000]],
    ['-k 1 2 cat', [2_000, 1_000]],
    ['-k1 2 cat', [2_000, 1_000]],
    ['--kill-after 1m 2 cat', [2_000, 60_000]],
    ['--kill-after=1m 2 cat', [2_000, 60_000]],
    ['-s KILL 2 cat', [2_000]],
    ['-sKILL 2 cat', [2_000]],
    ['--signal KILL 2 cat', [2_000]],
    ['--signal=KILL 2 cat', [2_000]],
    ['--foreground --preserve-status -v -s INT -k 3 .5 cat', [500, 3_000]],
    ['-k 0 2 cat', [2_000]],
    ['-vk5 2 cat', [2_000, 5_000]],
    ['-vk 5 2 cat', [2_000, 5_000]],
    ['-vsKILL 2 cat', [2_000]],
    ['--kill 5 2 cat', [2_000, 5_000]],
    ['--kill=5 --sig KILL 2 cat', [2_000, 5_000]],
    ['--verb --fore --pres 2 cat', [2_000]],
    ['-- 2 cat', [2_000]],
    ['2 timeout -k 7 9 cat', [2_000]],
    ['0 cat', []],
    ['-k 5 0 cat', []],
    ['infinity cat', [forEver]],
  ])('reads "timeout %s" as %j', (words, durations) => {
    expect(timeoutDurations(words.split(' '))).toEqual(durations);
  });
});
