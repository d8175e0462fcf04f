import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { nativeProgram, packageRoot } from './index.ts';

const release = 34;

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

const run = (program: string, argv: readonly string[]) => {
  const { status, signal, stdout, stderr } = spawnSync(program, argv, { encoding: 'utf8', timeout: 10_000 });
  return { status, signal, stdout, stderr };
};

/** The native program, started; node's own signal mask and dispositions do not reach it. */
const start = (name: 'holder' | 'sleep' | 'timeout', argv: readonly string[]) => {
  const child = spawn(nativeProgram(name), argv, { stdio: ['ignore', 'ignore', 'ignore'], detached: true });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  return { child, pid: child.pid!, ended };
};

/** Waits for a fact about a process that /proc shows; fails after 5 s. */
const until = async (what: string, holds: () => boolean) => {
  const deadline = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Cannot see ${what} within 5 s`);
    await delay(1);
  }
};

const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8');
/** The number of rt_sigtimedwait, in which the programs wait. */
const signalWait = process.arch === 'arm64' ? '137 ' : '128 ';
const isAsleep = (pid: number) =>
  statusOf(pid).includes('\nState:\tS') && readFileSync(`/proc/${pid}/syscall`, 'utf8').startsWith(signalWait);
const isHolderReady = (pid: number) => /^SigCgt:\t0000000200000000$/m.test(statusOf(pid));
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** By kill(1), since process.kill() takes no real-time signals by number. */
const kill = (pid: number, ...signals: readonly number[]) => {
  for (const signal of signals) expect(spawnSync('kill', [`-${signal}`, String(pid)]).status).toBe(0);
};

const endOf = async ({ child, ended }: { child: ChildProcess; ended: Promise<Ended> }) => {
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  const end = await ended;
  clearTimeout(timer);
  return end;
};

describe('packageRoot()', () => {
  test('is the folder of package.json', () => {
    expect(JSON.parse(readFileSync(`${packageRoot()}/package.json`, 'utf8'))).toMatchObject({ name: 'muxgym' });
  });
});

describe('sleep', () => {
  test.each([[[]], [['x']], [['-1']], [['1', 'y', '2']], [['1x']], [['1ss']], [['']], [['nan']], [['--nothing']]])(
    'refuses %j as coreutils does',
    (argv) => {
      const ours = run(nativeProgram('sleep'), argv);
      const theirs = run('/usr/bin/sleep', argv);
      expect(theirs.status).toBe(1);
      expect(ours).toMatchObject({ status: 1, signal: null, stdout: '' });
      expect(ours.stderr).toMatch(/^sleep: .+\nTry 'sleep --help'/s);
    },
  );

  test.each([[['0']], [['0', '0.0', '0d']], [['--', '0']], [['.0s']], [['--version']], [['--help']]])(
    'returns at once, when called with %j',
    (argv) => {
      expect(run(nativeProgram('sleep'), argv)).toMatchObject({ status: 0, signal: null, stderr: '' });
    },
  );

  test.each([[['0.01']], [['1h', '2m']], [['infinity']], [['--', '5']], [['1e-3']]])(
    'waits for the release alone, when called with %j',
    async (argv) => {
      const sleeper = start('sleep', argv);
      await until('the wait', () => isAsleep(sleeper.pid));
      kill(sleeper.pid, release);
      expect(await endOf(sleeper)).toEqual({ code: 0, signal: null });
    },
  );

  test('dies of SIGTERM, as any program', async () => {
    const sleeper = start('sleep', ['5']);
    await until('the wait', () => isAsleep(sleeper.pid));
    kill(sleeper.pid, 15);
    expect(await endOf(sleeper)).toEqual({ code: null, signal: 'SIGTERM' });
  });
});

describe('timeout', () => {
  test.each([
    [[]],
    [['1']],
    [['x', 'true']],
    [['-1', 'true']],
    [['-k', 'x', '1', 'true']],
    [['-s', 'NOTHING', '1', 'true']],
    [['--nothing', '1', 'true']],
  ])('refuses %j as coreutils does', (argv) => {
    expect(run('/usr/bin/timeout', argv).status).toBe(125);
    const ours = run(nativeProgram('timeout'), argv);
    expect(ours).toMatchObject({ status: 125, signal: null, stdout: '' });
    expect(ours.stderr).toMatch(/Try 'timeout --help' for more information\.\n$/);
  });

  test.each([
    ['the status of a quick command', ['1', 'sh', '-c', 'exit 7']],
    ['0', ['1', 'true']],
    ['0 without a limit', ['0', 'true']],
    ['127 for a command that is missing', ['1', '/nonexistent']],
    ['126 for a command that cannot be run', ['1', '/etc/passwd']],
    ['a death by signal', ['1', 'sh', '-c', 'kill -KILL $$']],
    ['a death by another signal', ['1', 'sh', '-c', 'kill -HUP $$']],
    ['the status of a foreground command', ['--foreground', '1', 'sh', '-c', 'exit 3']],
    ['the status behind options of every form', ['-s', 'INT', '--kill-after=2', '-k3', '1', 'sh', '-c', 'exit 4']],
  ])('passes on %s', (_, argv) => {
    const { status, signal } = run('/usr/bin/timeout', argv);
    expect(run(nativeProgram('timeout'), argv)).toMatchObject({ status, signal });
  });

  const wait = nativeProgram('sleep');

  const started = async (argv: readonly string[]) => {
    const timeout = start('timeout', argv);
    await until('the wait', () => isAsleep(timeout.pid) && childrenOf(timeout.pid).length === 1);
    const [command] = childrenOf(timeout.pid);
    await until('the command', () => readFileSync(`/proc/${command}/cmdline`, 'utf8').startsWith(wait));
    return { ...timeout, command: command! };
  };

  test('sends TERM and returns 124, when released', async () => {
    const timeout = await started(['2', wait, '5']);
    kill(timeout.pid, release);
    expect(await endOf(timeout)).toEqual({ code: 124, signal: null });
  });

  test('sends the chosen signal', async () => {
    const timeout = await started(['--preserve-status', '-s', 'INT', '2', wait, '5']);
    kill(timeout.pid, release);
    expect(await endOf(timeout)).toEqual({ code: null, signal: 'SIGINT' });
  });

  test('passes the death on, when it has --preserve-status', async () => {
    const timeout = await started(['--preserve-status', '2', wait, '5']);
    kill(timeout.pid, release);
    expect(await endOf(timeout)).toEqual({ code: null, signal: 'SIGTERM' });
  });

  test('does nothing when released, when the limit is 0', async () => {
    const timeout = await started(['0', wait, '5']);
    kill(timeout.pid, release);
    await until('the wait', () => isAsleep(timeout.pid));
    kill(timeout.command, release);
    expect(await endOf(timeout)).toEqual({ code: 0, signal: null });
  });

  test('passes a SIGTERM of its own on to the command', async () => {
    const timeout = await started(['2', wait, '5']);
    kill(timeout.pid, 15);
    expect(await endOf(timeout)).toEqual({ code: null, signal: 'SIGTERM' });
  });
});

describe('holder', () => {
  test.each([0, 1, 3, 15, 16, 42, 124, 127, 128, 137, 200, 239])(
    'exits with status %i, when both signals are pending at once',
    async (status) => {
      const holder = start('holder', ['name']);
      await until('the holder', () => isHolderReady(holder.pid));
      kill(holder.pid, 19);
      await until('the stop', () => statusOf(holder.pid).includes('\nState:\tT'));
      kill(holder.pid, 50 + (status >> 4), 34 + (status & 15), 18);
      expect(await endOf(holder)).toEqual({ code: status, signal: null });
    },
  );

  test('does nothing by itself, and dies of SIGTERM', async () => {
    const holder = start('holder', ['name']);
    await until('the holder', () => isHolderReady(holder.pid) && isAsleep(holder.pid));
    expect(childrenOf(holder.pid)).toEqual([]);
    kill(holder.pid, 15);
    expect(await endOf(holder)).toEqual({ code: null, signal: 'SIGTERM' });
  });
});
