import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { currentOwner, startTimeOf } from './owner.ts';
import { StateFolder } from './state-folder.ts';

let temporary: string;
const folders: StateFolder[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'muxgym-state-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  for (const folder of folders.splice(0)) folder.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

const create = (): StateFolder => {
  const folder = StateFolder.create();
  folders.push(folder);
  return folder;
};
const start = (): ChildProcess => {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  children.push(child);
  return child;
};
const prefix = `muxgym-u${process.getuid?.()}-`;

/** A folder as a gym leaves it that was killed while one world lived. */
const plant = (block: number, owner: object, world: object): string => {
  const path = join(temporary, `${prefix}b${block}`);
  mkdirSync(join(path, 'world'), { recursive: true, mode: 0o711 });
  writeFileSync(join(path, 'owner.json'), JSON.stringify(owner));
  writeFileSync(join(path, 'world', 'process.json'), JSON.stringify(world));
  return path;
};
const dead = { ...currentOwner(), startTime: '1' };

describe('StateFolder.create()', () => {
  test('ends what a dead gym left, and removes its folder', async () => {
    const child = start();
    const path = plant(3, dead, { pid: child.pid, startTime: startTimeOf(child.pid!) });
    create();
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    expect(existsSync(path)).toBe(false);
  });

  test('leaves a living gym and its processes alone', () => {
    const child = start();
    const path = plant(3, currentOwner(), { pid: child.pid, startTime: startTimeOf(child.pid!) });
    create();
    expect(existsSync(join(path, 'world', 'process.json'))).toBe(true);
    expect(startTimeOf(child.pid!)).not.toBeNull();
    expect(child.signalCode).toBeNull();
  });

  test('does not end a process that only has the pid of the recorded one', () => {
    const child = start();
    const path = plant(3, dead, { pid: child.pid, startTime: '1' });
    create();
    expect(existsSync(path)).toBe(false);
    expect(startTimeOf(child.pid!)).not.toBeNull();
  });

  test('leaves a folder alone whose owner cannot be read', () => {
    const path = plant(3, dead, {});
    writeFileSync(join(path, 'owner.json'), '{"pid": 1');
    create();
    expect(existsSync(path)).toBe(true);
  });

  test('sweeps a folder whose record was torn by the kill', () => {
    const path = plant(3, dead, {});
    writeFileSync(join(path, 'world', 'process.json'), '{"pid": 1');
    create();
    expect(existsSync(path)).toBe(false);
  });

  test('writes its own owner into the folder, and leaves nothing when closed', () => {
    const folder = create();
    expect(JSON.parse(readFileSync(join(folder.path, 'owner.json'), 'utf8'))).toEqual(currentOwner());
    folder.createWorld();
    folder.close();
    folder.close();
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('refuses with E_STATE_FOLDER, when every block is taken, and leaves nothing of its own', () => {
    for (let block = 0; block < 40; block++) plant(block, currentOwner(), {});
    const before = readdirSync(temporary).sort();
    expect(create).toThrow(expect.objectContaining({ code: 'E_STATE_FOLDER', boundary: 'sandbox' }));
    expect(readdirSync(temporary).sort()).toEqual(before);
  });
});

describe('takeUid()', () => {
  test('never gives two folders the same user', () => {
    const [left, right] = [create(), create()];
    const uids = Array.from({ length: 1_000 }, () => [left.takeUid('bubblewrap'), right.takeUid('bubblewrap')]).flat();
    expect(new Set(uids).size).toBe(2_000);
    expect(Math.min(...uids)).toBeGreaterThanOrEqual(100_000);
    expect(Math.max(...uids)).toBeLessThan(140_000);
  });

  test('throws E_UIDS, when all are taken, and uses a returned one again only after all others', () => {
    const folder = create();
    const first = folder.takeUid('bubblewrap');
    folder.returnUid(first);
    const later = Array.from({ length: 1_000 }, () => folder.takeUid('bubblewrap'));
    expect(later.at(-1)).toBe(first);
    expect(() => folder.takeUid('bubblewrap')).toThrow(expect.objectContaining({ code: 'E_UIDS' }));
  });
});

// Four processes take their time on a loaded machine: the limit is for one that hangs.
test('close() succeeds, whoever claims the place meanwhile', { timeout: 60_000 }, async () => {
  const module = new URL('./state-folder.ts', import.meta.url).href;
  const source = `
    const { StateFolder } = await import(${JSON.stringify(module)});
    for (let round = 0; round < 400; round++) StateFolder.create().close();`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', source];
  const gyms = await Promise.all([1, 2, 3, 4].map(() => execa(process.execPath, args, { reject: false })));
  expect(gyms.map(({ exitCode, stderr }) => `${exitCode} ${stderr}`)).toEqual(['0 ', '0 ', '0 ', '0 ']);
});
