import { execa } from 'execa';
import { describe, expect, test } from 'vitest';

function run(...args: readonly string[]) {
  return execa(process.execPath, ['--import', 'tsx', 'scripts/muxgym.ts', ...args], { reject: false, stdin: 'ignore' });
}

describe('muxgym', { timeout: 60_000 }, () => {
  test.each([
    ['an unknown flag', ['doctor', '--bogus'], "unknown option '--bogus'", 'muxgym doctor'],
    ['an unknown command', ['evil'], "unknown command 'evil'", 'muxgym'],
    ['a missing value', ['play', '--task'], "option '--task <id|file>' argument missing", 'muxgym play'],
    ['too many words', ['bench', 'x'], 'too many arguments', 'muxgym bench'],
  ])('muxgym refuses with E_USAGE and exit code 2, when given %s', async (_, args, what, where) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    const [error = '', hint] = stderr.split('\n');
    expect(error).toMatch(/^error\[E_USAGE\]: Cannot read the command line: /);
    expect(error).toContain(what);
    expect(error).toContain(`, at ${where}`);
    expect(hint).toContain(`run ${where} --help`);
  });

  test('muxgym prints one JSON object, when an error meets --json', async () => {
    const { exitCode, stdout, stderr } = await run('play', '--task', 'cliff-d7-n1-s0', '--json');
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'E_DEPTH', found: expect.stringContaining('7') } });
    expect(stderr).toMatch(/^error\[E_DEPTH\]: /);
  });

  test('muxgym lists its commands on stdout, when asked for help', async () => {
    const { exitCode, stdout, stderr } = await run('--help');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\n {2}serve {2,}\S/);
    expect(stderr).toBe('');
  });

  test('muxgym ends with 2, when no command is given', async () => {
    expect((await run()).exitCode).toBe(2);
  });

  test('muxgym ends quietly, when its reader goes away', async () => {
    const command = `${process.execPath} --import tsx scripts/muxgym.ts generate --ops 1-64 --seeds 0-99 --out - | head -c 10`;
    const { stdout, stderr } = await execa('bash', ['-c', command]);
    expect(stdout).toHaveLength(10);
    expect(stderr).not.toMatch(/EPIPE|error/);
  });

  test('muxgym keys new gives another key, when called again', async () => {
    const keys = [await run('keys', 'new'), await run('keys', 'new', '--json')];
    const [first, second] = [keys[0]?.stdout, JSON.parse(keys[1]?.stdout ?? '').run_key];
    for (const key of [first, second]) expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(first).not.toBe(second);
  });
});
