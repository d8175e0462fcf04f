import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { currentOwner } from '../../env/index.ts';
import { lockRun } from './lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('lockRun()', () => {
  test('throws E_RUN_LOCKED naming the process, when a living owner holds the folder', () => {
    const lock = lockRun(folder);
    expect(() => lockRun(folder)).toThrow(expect.objectContaining({ code: 'E_RUN_LOCKED' }));
    expect(() => lockRun(folder)).toThrow(`process ${process.pid}`);
    lock.release();
    lockRun(folder).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('takes over, when the owner is dead or its pid is another process by now', () => {
    const me = currentOwner();
    writeFileSync(join(folder, 'owner-1-aa.json'), JSON.stringify({ ...me, startTime: '1' }));
    writeFileSync(join(folder, 'owner-2-bb.json'), JSON.stringify({ ...me, pid: 2 ** 22 + 1 }));
    writeFileSync(join(folder, 'owner-3-cc.json'), JSON.stringify({ ...me, bootId: 'another boot' }));
    const lock = lockRun(folder);
    expect(readdirSync(folder)).toHaveLength(1);
    lock.release();
  });

  test('takes over, when the owner was killed', async () => {
    const module = new URL('./lock.ts', import.meta.url).href;
    const source = `const { lockRun } = await import(${JSON.stringify(module)}); lockRun('${folder}'); process.kill(process.pid, 'SIGKILL');`;
    const { signal } = await execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
      reject: false,
    });
    expect(signal).toBe('SIGKILL');
    expect(readdirSync(folder)).toHaveLength(1);
    lockRun(folder).release();
    expect(readdirSync(folder)).toEqual([]);
  }, 30_000);
});
