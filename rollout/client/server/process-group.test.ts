import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listGroup, startProcessGroup } from './process-group.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-group-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const start = (script: string) =>
  startProcessGroup({ program: '/bin/bash', args: ['-c', script], logFile: join(folder, 'log') });
const readLog = () => readFileSync(join(folder, 'log'), 'utf8');
const temporaries = () => readdirSync(folder).filter((name) => name.startsWith('muxgym-model-'));
const gone = (id: number) => vi.waitFor(() => expect(listGroup(id)).toEqual([]), { timeout: 5_000, interval: 10 });

describe('startProcessGroup()', () => {
  test('gives the exit code and keeps the output, when the program ends by itself', async () => {
    const group = start('echo out; echo err >&2; exit 7');
    expect(await group.ended).toMatchObject({ exitCode: 7 });
    expect(readLog()).toBe('out\nerr\n');
    await gone(group.id);
  });

  test('gives exit code 127, when the program is missing', async () => {
    const group = startProcessGroup({ program: '/no/such/program', args: [], logFile: join(folder, 'log') });
    expect(await group.ended).toMatchObject({ exitCode: 127 });
  });

  test('stop() lets the program end in its own way, when it heeds SIGTERM', async () => {
    const group = start('trap "echo bye; exit 3" TERM; echo up; while :; do read -t 60 < <(sleep 60); done');
    await vi.waitFor(() => expect(readLog()).toBe('up\n'), { timeout: 5_000, interval: 10 });
    await group.stop(5_000);
    expect(readLog()).toBe('up\nbye\n');
    expect(await group.ended).toMatchObject({ exitCode: 3 });
    await gone(group.id);
  });

  test('stop() kills the grandchildren too, when nobody heeds SIGTERM', async () => {
    const group = start('trap "" TERM; (trap "" TERM; sleep 60) & echo up; sleep 60; sleep 60');
    await vi.waitFor(() => expect(readLog()).toBe('up\n'), { timeout: 5_000, interval: 10 });
    await group.stop(50);
    await group.stop(50);
    await gone(group.id);
  });

  test('gives the program a TMPDIR of its own, which goes with it, stopped or ended by itself', async () => {
    const stopped = start('touch "$TMPDIR/left"; echo up; sleep 60');
    await vi.waitFor(() => expect(readLog()).toBe('up\n'), { timeout: 5_000, interval: 10 });
    expect(temporaries()).toHaveLength(1);
    await stopped.stop(5_000);
    expect(temporaries()).toEqual([]);
    await start('touch "$TMPDIR/left"').ended;
    await vi.waitFor(() => expect(temporaries()).toEqual([]), { timeout: 5_000, interval: 10 });
  });

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('leaves nobody, when its owner ends by %s', async (signal) => {
    const module = new URL('./process-group.ts', import.meta.url).href;
    const args = ['-c', 'trap "" TERM; (trap "" TERM; sleep 60) & sleep 60; sleep 60'];
    const source = `
      const { startProcessGroup } = await import(${JSON.stringify(module)});
      const group = startProcessGroup({ program: '/bin/bash', args: ${JSON.stringify(args)}, logFile: '${folder}/log' });
      console.log(group.id);
      setInterval(() => {}, 1000);`;
    const owner = execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
      reject: false,
      extendEnv: false,
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder },
    });
    let id = 0;
    for await (const line of owner.iterable()) {
      id = Number(line);
      await vi.waitFor(() => expect(listGroup(id).length).toBeGreaterThan(3), { timeout: 5_000, interval: 10 });
      owner.kill(signal);
    }
    expect(id).toBeGreaterThan(1);
    await gone(id);
    await vi.waitFor(() => expect(temporaries()).toEqual([]), { timeout: 5_000, interval: 10 });
  });
});
