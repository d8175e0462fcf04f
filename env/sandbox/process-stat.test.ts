import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseStat } from './process-stat.ts';

describe('parseStat()', () => {
  test('reads past a name that looks like more fields', () => {
    const text = '7 (a) S 9 (b) R 5 6 7 1025 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 123456 8 9';
    expect(parseStat(text)).toEqual({
      ...{ parent: 5, session: 7, terminal: 1025, cpuTicks: 30, childCpuTicks: 70, startTime: '123456' },
    });
  });

  test('is null, when the text is torn', () => {
    expect(parseStat('7 (a) S 9')).toBeNull();
    expect(parseStat('')).toBeNull();
  });

  test('names the parent of this process', () => {
    expect(parseStat(readFileSync('/proc/self/stat', 'latin1'))?.parent).toBe(process.ppid);
  });
});
