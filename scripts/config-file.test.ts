import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'muxgym-config-'));
const file = join(folder, 'flags.toml');
afterAll(() => rmSync(folder, { recursive: true }));

async function run(toml: string, ...args: readonly string[]) {
  writeFileSync(file, toml);
  const words = ['--import', 'tsx', 'scripts/muxgym.ts', ...args, '--config', file];
  const { exitCode, stdout, stderr } = await execa(process.execPath, words, { reject: false, stdin: 'ignore' });
  return { exitCode, stdout, stderr };
}

const flags = `
seeds = "0-4"
[generate]
depths = "D0-D1"
ops = [1, 2]
dry-run = true
json = false
[serve]
bind = "tcp://127.0.0.1:0"
`;

describe('--config', { timeout: 60_000 }, () => {
  test('gives a command its flags, those of its own table first, and those of the command line win', async () => {
    const { exitCode, stdout } = await run(flags, 'generate', '--seeds', '7', '--out', '-', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ dry_run: true, tasks: 4 });
  });

  test('reads false as the flag that switches off, where there is one', async () => {
    const { stdout } = await run(
      'shaping = false',
      'eval',
      '--policy',
      'noop',
      '--out',
      'r',
      '--print-config',
      '--json',
    );
    expect(JSON.parse(stdout).config.shaping).toEqual({ value: false, from: file });
  });

  test.each([
    ['an unknown flag', 'dephts = "D0"', 'flags.toml: dephts', 'dephts'],
    ['a value for a flag that takes none', 'json = "yes"', 'flags.toml: json', '"yes"'],
    ['a table where a value belongs', '[depths]\nfrom = 0', 'flags.toml: depths', '{"from":0}'],
    ['no TOML', 'depths = "D0', 'flags.toml:1:10', ''],
  ])('is refused with its place and exit code 2, when it holds %s', async (_, toml, where, found) => {
    const { exitCode, stdout } = await run(toml, 'generate', '--out', '-', '--json');
    expect(exitCode).toBe(2);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: 'E_CONFIG', where: expect.stringContaining(where) });
    expect(error.found).toContain(found);
  });

  test('is refused, when it is not there', async () => {
    const words = ['--import', 'tsx', 'scripts/muxgym.ts', 'generate', '--config', join(folder, 'none.toml')];
    const { exitCode, stderr } = await execa(process.execPath, words, { reject: false });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error\[E_CONFIG\]: .*none\.toml/);
  });
});

describe('--print-config', { timeout: 60_000 }, () => {
  test('says each value and where it came from, hides the key, and runs nothing', async () => {
    const key = 'a'.repeat(64);
    const { exitCode, stdout } = await run(flags, 'generate', '--ops', '8', '--key', key, '--print-config', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).config).toMatchObject({
      depths: { value: 'D0-D1', from: file },
      seeds: { value: '0-4', from: file },
      ops: { value: '8', from: 'flag' },
      key: { value: '(hidden)', from: 'flag' },
      'dry-run': { value: true, from: file },
    });
    expect(stdout).not.toContain(key);
  });
});
