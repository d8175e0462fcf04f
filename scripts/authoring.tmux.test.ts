import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { templateKinds } from '../generator/index.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muxgym-authoring-'));
});
afterEach(() => rm(folder, { recursive: true }));

const program = ['--import', 'tsx', 'scripts/muxgym.ts'];

/** The lines of a stream, one after another; a stream that ends before the one that is waited for throws. */
function readLines(input: Readable) {
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  return {
    until: async (pattern: RegExp) => {
      for (;;) {
        const { done, value } = await lines.next();
        if (done === true) throw new Error(`no line ${pattern}`);
        if (pattern.test(value)) return;
      }
    },
  };
}

function muxgym(...args: readonly string[]) {
  return execa(process.execPath, [...program, ...args], { reject: false });
}

describe('new-task', () => {
  test('new-task writes a task that validates and names its schema, for each kind', async () => {
    const files = await Promise.all(
      templateKinds.map(async (kind, index) => {
        const { exitCode, stdout } = await muxgym('new-task', `X-${index}`, '--kind', kind, '--out', folder, '--json');
        const file = join(folder, `X-${index}.toml`);
        expect(JSON.parse(stdout), kind).toEqual({ file, kind });
        expect(exitCode).toBe(0);
        return file;
      }),
    );
    const schema = /^#:schema (.*)$/m.exec(readFileSync(files[0]!, 'utf8'))?.[1];
    expect(JSON.parse(readFileSync(join(folder, schema!), 'utf8'))).toEqual(
      JSON.parse((await muxgym('new-task', '--schema')).stdout),
    );
    const report = JSON.parse((await muxgym('validate', folder, '--json')).stdout);
    expect(report).toMatchObject({ tasks: templateKinds.length, ok: templateKinds.length, failed: [] });
  });

  test('new-task refuses with its code and leaves what is there, when it cannot write the task', async () => {
    const file = join(folder, 'X-1.toml');
    writeFileSync(file, 'mine');
    const refuse = async (...args: readonly string[]) => {
      const { exitCode, stdout } = await muxgym('new-task', ...args, '--out', folder, '--json');
      expect(exitCode).toBe(2);
      return JSON.parse(stdout).error;
    };
    expect(await refuse('X-1')).toMatchObject({ code: 'E_EXISTS', where: file });
    expect(await refuse('x 1')).toMatchObject({ code: 'E_TASK_ID', found: '"x 1"' });
    expect(await refuse()).toMatchObject({ code: 'E_TASK_ID', found: 'none' });
    expect(await refuse('X-2', '--kind', 'nothing')).toMatchObject({ code: 'E_KIND', found: '"nothing"' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describe('validate --watch', () => {
  test('it validates what changes, reports what cannot be read, and goes on until it is interrupted', async () => {
    const file = join(folder, 'X-1.toml');
    await muxgym('new-task', 'X-1', '--out', folder);
    const good = readFileSync(file, 'utf8');
    const watch = execa(process.execPath, [...program, 'validate', '--watch', folder], { reject: false });
    try {
      const said = readLines(watch.stdout);
      const complained = readLines(watch.stderr);
      const validated = /^1 tasks: 1 ok, 0 failed/;
      await said.until(validated);
      await complained.until(/watching/);
      writeFileSync(file, `${good}\nunknown_key = 1\n`);
      await complained.until(/^error\[E_TASK/);
      await complained.until(/watching/);
      writeFileSync(join(folder, 'X-2.toml'), good.replace('id = "X-1"', 'id = "X-2"'));
      await said.until(validated);
      await complained.until(/watching/);
      writeFileSync(file, good);
      await said.until(validated);
      watch.kill('SIGINT');
      expect((await watch).exitCode).toBe(130);
    } finally {
      watch.kill('SIGKILL');
      await watch;
    }
  });

  test('it refuses a path that is not there, and one JSON object at an end that never comes', async () => {
    const missing = await muxgym('validate', '--watch', join(folder, 'none'));
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('error[E_WATCH]') });
    const both = await muxgym('validate', '--watch', '--json', folder);
    expect(both).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('E_FLAGS') });
  });
});
