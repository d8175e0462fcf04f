import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Counts, countExit, countPytest, countVitest } from './check-counts.ts';
import { printLine, progress, setExitCode } from './output.ts';

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** Kills the check, which then counts as failed. */
  readonly minutes: number;
  /** Reads the runner's own report; without it the exit code counts as one test. */
  readonly report?: { readonly file: string; readonly count: (text: string | null, exitCode: number) => Counts };
}

const python = 'trainer-bridge/python';

const inPython = (script: string) => ['bash', '-c', `cd ${python} && ${script}`];

/** A tool on the package and on the benchmark's client, which stands outside of it. */
const onPython = (command: string) =>
  inPython(`.venv/bin/${command} . && .venv/bin/${command} --config pyproject.toml ../../scripts/bench`);

/** A check whose flags stand in package.json. */
function npmScript(name: string, minutes: number): Check {
  return { name, command: ['npm', 'run', '--silent', name], minutes };
}

function vitest(project: string, minutes: number, folder: string): Check {
  const file = join(folder, `${project}.json`);
  const flags = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  return {
    name: project,
    command: ['vitest', 'run', '--project', project, ...flags],
    minutes,
    report: { file, count: countVitest },
  };
}

function listChecks(folder: string): readonly Check[] {
  const junit = join(folder, 'pytest.xml');
  return [
    npmScript('lint', 3),
    npmScript('types', 3),
    npmScript('layers', 3),
    npmScript('dead-code', 3),
    { name: 'dockerfile', command: [`${python}/.venv/bin/hadolint`, 'Dockerfile.h100'], minutes: 1 },
    { name: 'python-format', command: onPython('ruff format --check'), minutes: 2 },
    { name: 'python-lint', command: onPython('ruff check'), minutes: 2 },
    {
      name: 'python-types',
      command: inPython('.venv/bin/mypy && .venv/bin/mypy ../../scripts/bench/wire.py'),
      minutes: 5,
    },
    vitest('unit', 8, folder),
    vitest('tmux', 25, folder),
    {
      name: 'pytest',
      command: inPython(`exec .venv/bin/pytest -q --junitxml=${junit} --basetemp=${join(folder, 'pytest')}`),
      minutes: 10,
      report: { file: junit, count: countPytest },
    },
    { name: 'docs', command: ['bash', '-c', 'scripts/setup && exec npm run --silent docs'], minutes: 30 },
  ];
}
/**
 * Runs all checks, or those named, one after another, and ends with `N passed, N failed`. A runner that dies, reports
 * nothing or is cut by its time limit counts as failed; so does a whole run that changed the tree.
 */
async function main(names: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'muxgym-check-'));
  try {
    const checks = selectChecks(listChecks(folder), names);
    const whole = names.length === 0;
    const before = whole ? await hashTree() : '';
    const results: { readonly name: string; readonly counts: Counts }[] = [];
    for (const check of checks) results.push({ name: check.name, counts: await runCheck(check) });
    if (whole) results.push({ name: 'clean-tree', counts: countExit((await hashTree()) === before ? 0 : 1) });
    summarize(results);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function selectChecks(checks: readonly Check[], names: readonly string[]): readonly Check[] {
  const known = checks.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`Cannot run ${unknown.join(', ')}: the checks are ${known.join(', ')}`);
  return names.length === 0 ? checks : checks.filter(({ name }) => names.includes(name));
}

async function runCheck(check: Check): Promise<Counts> {
  progress(`\n=== ${check.name}: ${check.command.join(' ')}`);
  const [program = '', ...args] = check.command;
  const begin = Date.now();
  const { exitCode, timedOut } = await execa(program, args, {
    preferLocal: true,
    reject: false,
    env: { NO_COLOR: '1', FORCE_COLOR: '0' },
    stdin: 'ignore',
    stdout: 2,
    stderr: 2,
    timeout: check.minutes * 60_000,
    forceKillAfterDelay: 10_000,
  });
  if (timedOut) progress(`=== ${check.name}: cut after ${check.minutes} minutes`);
  const counts = await countCheck(check, exitCode ?? 1);
  progress(`=== ${check.name}: ${formatCounts(counts)} in ${Math.round((Date.now() - begin) / 1000)} s`);
  return counts;
}

async function countCheck({ name, report }: Check, exitCode: number): Promise<Counts> {
  if (report === undefined) return countExit(exitCode);
  try {
    return report.count(await readText(report.file), exitCode);
  } catch (error) {
    progress(`=== ${name}: its report cannot be read: ${String(error)}`);
    return countExit(1);
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** What git sees as changed, as one hash. */
async function hashTree(): Promise<string> {
  const { stdout: status } = await execa('git', ['status', '--porcelain']);
  const { stdout: diff } = await execa('git', ['diff', 'HEAD']);
  return createHash('sha256').update(status).update(diff).digest('hex');
}

function summarize(results: readonly { readonly name: string; readonly counts: Counts }[]): void {
  printLine('');
  for (const { name, counts } of results) printLine(`${name}: ${formatCounts(counts)}`);
  const total = results.reduce(
    (sum, { counts }) => ({
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
  printLine(formatCounts(total));
  if (total.failed > 0) setExitCode(1);
}

function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

await main(process.argv.slice(2));
