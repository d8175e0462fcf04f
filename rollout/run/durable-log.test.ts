import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DurableLog } from './durable-log.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-log-'));
  path = join(folder, 'log.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('DurableLog', () => {
  test('append() gives the byte offset of each line, when many are written at once', async () => {
    await using log = await DurableLog.open(path);
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index} ✓`);
    const offsets = await Promise.all(lines.map((line) => log.append(line)));
    const bytes = readFileSync(path);
    expect(offsets[0]).toBe(0);
    for (const [index, offset] of offsets.entries()) {
      const end = bytes.indexOf(10, offset);
      expect(bytes.subarray(offset, end).toString()).toBe(lines[index]);
    }
  });

  test('append() returns only once the line can be read', async () => {
    await using log = await DurableLog.open(path);
    await log.append('a');
    expect(readFileSync(path, 'utf8')).toBe('a\n');
  });

  test.each([
    ['whole lines', 'a\nb\n', 'a\nb\n'],
    ['a torn last line', 'a\nb\n{"torn', 'a\nb\n'],
    ['one torn line', '{"torn', ''],
    ['a torn line longer than one block', `a\n${'x'.repeat(200_000)}`, 'a\n'],
    ['nothing', '', ''],
  ])('open() keeps whole lines and goes on after them, when the file holds %s', async (_, before, kept) => {
    writeFileSync(path, before);
    await using log = await DurableLog.open(path);
    expect(await log.append('next')).toBe(Buffer.byteLength(kept));
    expect(readFileSync(path, 'utf8')).toBe(`${kept}next\n`);
  });

  test('append() fails for good, when a write failed', async () => {
    const log = await DurableLog.open('/dev/full');
    await expect(log.append('a')).rejects.toThrow(/ENOSPC/);
    await expect(log.append('b')).rejects.toThrow(/ENOSPC/);
    await log[Symbol.asyncDispose]();
  });
});
