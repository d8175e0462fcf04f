import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSandboxFactory, type Rung, rungs, type Sandbox } from './index.ts';
import { startTimeOf } from './owner.ts';

let temporary: string;
beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'muxgym-plain-'));
  chmodSync(temporary, 0o755);
  vi.stubEnv('TMPDIR', temporary);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

const isRoot = process.getuid?.() === 0;
/** As root there is no bare rung, as a normal user no other. */
const plain: readonly Rung[] = isRoot ? ['uid'] : ['bare'];

/** A zombie does not run any more, whether or not the machine's init has noticed. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\t[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false; // that is the answer
  }
};

const run = async (sandbox: Sandbox, command: string) => {
  const { code, output } = await sandbox.launcher.run({ argv: ['bash', '-c', command], outputLimit: 65_536 }).exited;
  return { code, text: output.toString() };
};

describe.each(plain)('the %s rung', (rung) => {
  test('starts, runs a command and a tmux server, and leaves nothing', async () => {
    const sandboxes = await createSandboxFactory({ rung, minRung: 'bare' });
    expect(sandboxes.factory.rung).toBe(rung);
    const sandbox = await sandboxes.factory.create();
    expect(await run(sandbox, 'echo hi; exit 4')).toEqual({ code: 4, text: 'hi\n' });
    expect((await run(sandbox, 'pwd; echo $REPORT')).text).toBe(
      `${sandbox.homeInside}\n${sandbox.homeInside}/report.txt\n`,
    );
    expect((await run(sandbox, 'tmux -f /dev/null new-session -d -s main cat; tmux list-sessions -F "#S"')).text).toBe(
      'main\n',
    );
    await run(sandbox, '(setsid tail -f /dev/null &); setsid bash -c "trap : TERM HUP; tail -f /dev/null" & disown');
    const pids = sandbox.processes.pids();
    expect(pids.length).toBeGreaterThanOrEqual(5);
    await sandbox.close();
    expect(pids.filter((pid) => startTimeOf(pid) !== null)).toEqual([]);
    sandboxes.close();
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('tells who ended it', async () => {
    const sandboxes = await createSandboxFactory({ rung, minRung: 'bare' });
    const inside = await sandboxes.factory.create();
    inside.launcher.run({ argv: ['bash', '-c', 'kill -9 $PPID'] });
    expect(await inside.ended).toMatchObject({ type: 'inside' });
    await inside.close();
    const outside = await sandboxes.factory.create();
    const keeper = Number(
      readFileSync(`/proc/${outside.processes.pids()[0]}/stat`, 'utf8').split(') ')[1]!.split(' ')[1],
    );
    const launcher = outside.processes.pids()[0]!;
    process.kill(keeper, 'SIGKILL');
    expect(await outside.ended).toMatchObject({ type: 'outside' });
    await outside.close();
    await expect.poll(() => isRunning(launcher)).toBe(false);
    sandboxes.close();
    expect(readdirSync(temporary)).toEqual([]);
  });

  // BR-12: a socket path over the limit, in characters and in bytes.
  test.each(['x'.repeat(60), '✓'.repeat(22)])(
    'refuses with E_SOCKET_PATH, when the folder is too long for a socket: %s',
    async (name) => {
      const long = join(temporary, name);
      mkdirSync(long);
      vi.stubEnv('TMPDIR', long);
      try {
        const failing = createSandboxFactory({ rung, minRung: 'bare' });
        await expect(failing).rejects.toMatchObject({ code: 'E_RUNG' });
        await expect(failing).rejects.toThrow(/tmux socket.*at most 87 bytes/);
        expect(readdirSync(long)).toEqual([]);
      } finally {
        vi.stubEnv('TMPDIR', temporary);
        rmSync(long, { recursive: true });
      }
    },
  );
});

describe.runIf(isRoot)('the uid rung', () => {
  test('gives each sandbox a user of its own, which reaches neither the other nor the gym', async () => {
    const sandboxes = await createSandboxFactory({ rung: 'uid', minRung: 'bare' });
    const [left, right] = [await sandboxes.factory.create(), await sandboxes.factory.create()];
    expect(left.uid).not.toBe(right.uid);
    expect((await run(left, 'id -u; id -g; id -G')).text).toBe(`${left.uid}\n${left.uid}\n${left.uid}\n`);
    await run(right, 'echo secret > own; tmux -f /dev/null new-session -d -s right cat');
    const [victim] = right.processes.pids();
    const state = readdirSync(temporary)[0]!;
    const attack = `cat ${right.homeInside}/own; ls ${right.homeInside}; kill -9 ${victim}; kill -9 ${process.pid};
      tmux -N -S ${right.homeInside}/../tmux/tmux-${right.uid}/default kill-server; rm -rf ${temporary}/${state}; touch ${temporary}/${state}/x;
      ls ${temporary}/${state}`;
    expect((await run(left, attack)).text).not.toMatch(/secret|^own$/m);
    expect((await run(right, 'cat own; tmux list-sessions -F "#S"')).text).toBe('secret\nright\n');
    expect(existsSync(join(temporary, state, 'owner.json'))).toBe(true);
    expect((await run(left, 'unshare -Ur true')).code).not.toBe(0);
    expect((await run(left, 'echo own > own; cat own')).text).toBe('own\n');
    await left.close();
    await right.close();
    sandboxes.close();
  });

  test('is not taken, when its users cannot reach their HOME', async () => {
    chmodSync(temporary, 0o700);
    try {
      await expect(createSandboxFactory({ rung: 'uid', minRung: 'bare' })).rejects.toMatchObject({ code: 'E_RUNG' });
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      chmodSync(temporary, 0o755);
    }
  });

  test('bounds the processes of its user', async () => {
    const sandboxes = await createSandboxFactory({ rung: 'uid', minRung: 'bare' });
    const sandbox = await sandboxes.factory.create({ processLimit: 20 });
    const forks = 'import os, signal\nfor _ in range(40):\n  if os.fork() == 0: signal.pause()';
    const { text } = await run(sandbox, `python3 -c '${forks}' 2>&1`);
    expect(text).toMatch(/Resource temporarily unavailable/);
    expect(sandbox.processes.pids().length).toBeLessThanOrEqual(20);
    await sandbox.close();
    sandboxes.close();
  });

  test('cannot make the next gym end a process of the host, by a planted state folder', async () => {
    const victim = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    vi.stubEnv('TMPDIR', '/tmp');
    const planted = `/tmp/muxgym-u0-b39`;
    const sandboxes = await createSandboxFactory({ rung: 'uid', minRung: 'bare' });
    const sandbox = await sandboxes.factory.create();
    try {
      const owner = '{"pid":999999999,"startTime":"1","bootId":"x","pidNamespace":"y"}';
      const record = JSON.stringify({ pid: victim.pid, startTime: startTimeOf(victim.pid!) });
      const plant = `mkdir -p ${planted}/w && echo '${owner}' > ${planted}/owner.json && echo '${record}' > ${planted}/w/process.json`;
      expect(await run(sandbox, plant)).toEqual({ code: 0, text: '' });
      const next = await createSandboxFactory({ rung: 'uid', minRung: 'bare' });
      next.close();
      expect(existsSync(`${planted}/owner.json`)).toBe(true);
      expect(startTimeOf(victim.pid!)).not.toBeNull();
    } finally {
      await sandbox.close();
      sandboxes.close();
      rmSync(planted, { recursive: true, force: true });
      vi.stubEnv('TMPDIR', temporary);
      victim.kill();
    }
  });
});

describe('createSandboxFactory()', () => {
  test.runIf(isRoot)('never runs an agent as root without a sandbox, by name or as the last that is left', async () => {
    const failing = createSandboxFactory({ rung: 'bare', minRung: 'bare' });
    await expect(failing).rejects.toMatchObject({ name: 'InputError', code: 'E_RUNG' });
    await expect(failing).rejects.toThrow(/as root without a sandbox/);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('takes the best rung, when any will do', async () => {
    const sandboxes = await createSandboxFactory({ minRung: 'bare' });
    expect(rungs).toContain(sandboxes.factory.rung);
    sandboxes.close();
  });

  test('refuses with E_RUNG and names the failure, when no rung at or above the lowest allowed works', async () => {
    const tools = mkdtempSync(join(temporary, 'path-'));
    symlinkSync('/usr/bin/tmux', join(tools, 'tmux'));
    vi.stubEnv('PATH', tools);
    try {
      const failing = createSandboxFactory({ minRung: 'bubblewrap' });
      await expect(failing).rejects.toMatchObject({ code: 'E_RUNG', facts: { expected: 'bubblewrap or better' } });
      await expect(failing).rejects.toThrow(/bubblewrap: Cannot start bubblewrap/);
      const lower = await createSandboxFactory({ minRung: 'bare' });
      expect(lower.factory.rung).toBe(plain[0]);
      lower.close();
    } finally {
      vi.unstubAllEnvs();
      vi.stubEnv('TMPDIR', temporary);
      rmSync(tools, { recursive: true });
    }
    expect(readdirSync(temporary)).toEqual([]);
  });
});

test.runIf(isRoot)('the uid rung is refused, when root may not see the processes of other users', () => {
  const options = ['--bounding-set', '-sys_ptrace', process.execPath, '--import', 'tsx', 'scripts/muxgym.ts', 'eval'];
  const flags = ['--policy', 'noop', '--rung', 'uid', '--depths', 'D0', '--ops', '1', '--out', join(temporary, 'run')];
  const { status, stderr } = spawnSync('setpriv', [...options, ...flags], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^error\[E_RUNG\]: .*CAP_SYS_PTRACE/);
});
