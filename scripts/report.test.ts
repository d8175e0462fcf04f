import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { compareCommand } from './compare.ts';
import { reportCommand } from './report.ts';

let folder: string;
let stdout: string;
let stderr: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-report-'));
  vi.stubEnv('MUXGYM_REFERENCE_DATA', join(folder, 'absent'));
});
beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Runs a command in this process and gives its exit code. */
async function run(name: 'report' | 'compare', ...args: readonly string[]): Promise<number> {
  process.exitCode = 0;
  await (name === 'report' ? reportCommand() : compareCommand()).parseAsync(args, { from: 'user' });
  return Number(process.exitCode);
}

function write(name: string, lines: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** The study's runs of gpt-4o at D3, of which `passed` pass; it printed 20 % there, 3 of 15. */
const studyRuns = (passed: number) =>
  [1, 2, 4, 8, 16].flatMap((n, row) =>
    [0, 1, 2].map((seed) => ({ model: 'openai/gpt-4o', depth: 3, n, seed, passed: row * 3 + seed < passed, score: 0 })),
  );

const ownRuns = (policy: string, passed: number, count = 10) =>
  Array.from({ length: count }, (_, seed) => ({
    ...{
      schema: 1,
      episode: `e${seed}`,
      task: `cliff-d0-n1-s${seed}`,
      task_hash: `h${seed}`,
      suite: 'cliff',
      pillar: 'cliff',
    },
    ...{ depth: 0, ops: 1, sample: 0, attempt: 0, seed, split: null, policy, trace: 'traces.jsonl#0' },
    ...{ outcome: 'scored', reward: Number(seed < passed), passed: seed < passed, flags: [], boundary: null },
    ...{ failure: null, checks: [], events: [], steps: 1, ticks: 1, wall_ticks: 0, reproducible: true },
    ...{ format_failures: 0, truncated_by: null, sandbox: 'bare', tmux_version: '3.3a', observation_hash: '' },
    ...{ observation_hash_raw: '', replaced_bytes: 0, timings: { reset_ms: 1, step_ms: 1, grade_ms: 1, policy_ms: 1 } },
  }));

describe('muxgym report', { timeout: 60_000 }, () => {
  test('ends with 1 and names the cell, when a table of the study differs', async () => {
    expect(await run('report', write('study.jsonl', studyRuns(4)), '--table', 'cliff')).toBe(1);
    expect(stdout).toContain('Differs: gpt-4o D3: 20% (3/15), found 27% (4/15).');
    expect(stdout).toContain('21-model');
    expect(stderr).toContain('cells differ from the published figures');
  });

  test('writes one JSON object and ends with 0, when our own runs make the table', async () => {
    expect(await run('report', write('own.jsonl', ownRuns('oracle', 10)), '--table', 'cliff', '--json')).toBe(0);
    const { tables } = JSON.parse(stdout);
    expect(tables[0]).toMatchObject({ table: 'cliff', published: null, rows: [{ label: 'oracle' }], differences: [] });
  });

  test('writes a page and prints its path, when asked for HTML', async () => {
    const out = join(folder, 'report.html');
    const code = await run('report', write('page.jsonl', ownRuns('oracle', 9)), '--format', 'html', '--out', out);
    expect([code, stdout]).toEqual([0, `${out}\n`]);
    expect(readFileSync(out, 'utf8')).toContain('9/10');
  });

  test('shows every metric as Markdown, when no table is named', async () => {
    expect(await run('report', write('all.jsonl', ownRuns('oracle', 9)), '--format', 'markdown')).toBe(0);
    for (const heading of ['### Cells', '### The cliff', '### Effort and failures']) expect(stdout).toContain(heading);
  });

  test('refuses with 2, when the raw records of the study are not there', async () => {
    expect(await run('report', '--table', 'rl')).toBe(2);
    expect(stderr).toMatch(/error\[E_REFERENCE\].*\nhint: .*MUXGYM_REFERENCE_DATA/);
  });

  test('refuses with 2, when there is nothing to report on, or nothing that makes the table', async () => {
    expect(await run('report')).toBe(2);
    expect(stderr).toContain('error[E_RUN]');
    expect(await run('report', write('flat.jsonl', ownRuns('oracle', 1)), '--table', 'h1')).toBe(2);
    expect(stderr).toContain('error[E_TABLE]');
  });
});

describe('muxgym compare', { timeout: 60_000 }, () => {
  test('ends with 0 and writes the paired tests, when both played the same tasks', async () => {
    const [a, b, out] = [
      write('a.jsonl', ownRuns('naive', 1)),
      write('b.jsonl', ownRuns('oracle', 9)),
      join(folder, 'c'),
    ];
    expect(await run('compare', a, b, '--format', 'json', '--out', out)).toBe(0);
    const { total } = JSON.parse(readFileSync(out, 'utf8'));
    expect(total).toMatchObject({ only_a: 0, only_b: 8 });
    expect(total.mcnemar).toBeCloseTo(0.0078125, 12);
  });

  test('ends with 1 and names the tasks, when one of them lacks some', async () => {
    expect(await run('compare', write('c.jsonl', ownRuns('naive', 1, 8)), write('d.jsonl', ownRuns('oracle', 9)))).toBe(
      1,
    );
    expect(stdout).toContain('Missing in A (2): cliff-d0-n1-s8, cliff-d0-n1-s9.');
  });

  test('refuses with 2, when they share no task', async () => {
    expect(await run('compare', write('e.jsonl', []), write('f.jsonl', ownRuns('oracle', 9)))).toBe(2);
    expect(stderr).toContain('error[E_COMPARE]');
  });
});
