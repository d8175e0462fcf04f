import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRunFinished, readMeasured } from './recorded-summary.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-summary-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string) => writeFileSync(join(folder, 'summary.json'), text);

test('isRunFinished() is true for a run that left nothing to play, and for no other', () => {
  expect(isRunFinished(folder)).toBe(false);
  write('{"complete": false}');
  expect(isRunFinished(folder)).toBe(false);
  write('{"complete": true}');
  expect(isRunFinished(folder)).toBe(true);
});

test.each(['', '{"complete": tr', '[]', '{"complete": 1}', '{"throughput": 3}'])(
  'a summary that is torn is refused by its path: %s',
  (text) => {
    write(text);
    const refused = expect.objectContaining({
      code: 'E_CONFIG',
      facts: expect.objectContaining({ where: join(folder, 'summary.json') }),
    });
    expect(() => isRunFinished(folder)).toThrow(refused);
    expect(() => readMeasured(join(folder, 'summary.json'))).toThrow(refused);
  },
);
