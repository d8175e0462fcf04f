import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../env/index.ts';
import { readRecords } from '../rollout/index.ts';

const nobody = 65_534;
const become = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'];
const program = join(packageRoot(), 'scripts', 'muxgym.ts');

let home: string;
let environment: Record<string, string>;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'muxgym-nobody-'));
  const temporary = join(home, 'tmp');
  mkdirSync(temporary);
  for (const path of [home, temporary]) chownSync(path, nobody, nobody);
  environment = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8' };
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const canRead = (path: string): boolean => spawnSync('setpriv', [...become, 'test', '-r', path]).status === 0;

/** `muxgym eval` as a user without rights, on every depth with one and two tokens. */
const evaluate = async (policy: string) => {
  const run = join(home, policy);
  const tasks = ['--depths', 'D0-D4', '--ops', '1,2', '--seeds', '0', '--rung', 'bubblewrap'];
  const muxgym = [process.execPath, '--import', 'tsx', program, 'eval', '--policy', policy, ...tasks];
  const options = { cwd: packageRoot(), env: environment, extendEnv: false, reject: false } as const;
  const { stdout, stderr, exitCode } = await execa('setpriv', [...become, ...muxgym, '--out', run, '--json'], options);
  expect(exitCode, stderr).toBe(0);
  const records = await readRecords(join(run, 'episodes.jsonl'));
  return {
    totals: JSON.parse(stdout).totals as unknown,
    rungs: new Set(records.map(({ sandbox }) => sandbox)),
  };
};

// A checkout below a folder that others may not enter cannot be read by a normal user; that is no fault of the gym.
describe.runIf(process.getuid?.() === 0 && canRead(program))('as a normal user, from a run by root', () => {
  test.each([
    ['oracle', 10],
    ['noop', 0],
    ['wrong', 0],
  ])('the policy %s passes %i of 10, in bubblewrap, and nothing is left', async (policy, passed) => {
    const { totals, rungs } = await evaluate(policy);
    expect(totals).toMatchObject({ episodes: 10, scored: 10, masked: 0, flagged: 0, passed });
    expect([...rungs]).toEqual(['bubblewrap']);
    expect(readdirSync(join(home, 'tmp')).filter((name) => name.startsWith('muxgym'))).toEqual([]);
  });
});
