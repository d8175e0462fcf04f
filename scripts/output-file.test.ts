import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeOutputFile } from './output-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'muxgym-output-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('writeOutputFile() makes the folders above, when there are none', () => {
  const path = join(folder, 'a', 'b', 'page.md');
  writeOutputFile(path, 'one');
  writeOutputFile(path, 'two');
  expect(readFileSync(path, 'utf8')).toBe('two');
});

test('writeOutputFile() says E_OUT with the path, when it is a folder, lies below a file, or must be new', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const [path, found] of [
    [folder, 'EISDIR'],
    [join(file, 'x'), 'EEXIST'],
    [join(file, 'x', 'y'), 'ENOTDIR'],
  ] as const) {
    expect(() => writeOutputFile(path, '')).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code: 'E_OUT', where: path, found }) }),
    );
  }
  expect(() => writeOutputFile(file, 'lost', { fresh: true })).toThrow(/EEXIST/);
  expect(readFileSync(file, 'utf8')).toBe('');
});
