import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { events, makeTask, worker } from '../env/episode/event-task.test-fixture.ts';
import { createGym, type Env, type Gym, type SetupOperation, type Task } from '../env/index.ts';

// Cases that users of other tools met in public, and that depend on the machine around the gym.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-reports-'));
  chmodSync(folder, 0o755);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const death = makeTask(events.death);
const makePlain = (plan: readonly SetupOperation[] = []): Task => ({
  ...death,
  plan,
  events: [],
  debugLog: false,
  checks: [{ ...death.checks[0]!, role: 'state', event: null }],
});
const rung = 'bubblewrap';
const begin = async (gym: Gym, task = makePlain()): Promise<Env> => {
  const env = gym.createEnv();
  await env.reset({ task });
  return env;
};
const see = async (env: Env, command: string) => (await env.step({ type: 'command', command })).observation.text;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // it ended meanwhile
  }
};
const pids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const running = (argument: string) =>
  pids().filter((pid) => read(`/proc/${pid}/cmdline`).split('\0').includes(argument));
const zombies = () =>
  pids().filter((pid) =>
    new RegExp(`^State:\\tZ[\\s\\S]*^PPid:\\t${process.pid}$`, 'm').test(read(`/proc/${pid}/status`)),
  );

describe('C isolation', () => {
  test('BR-09 a killed server takes no other with it, when the gym itself was started in a pane of tmux', async () => {
    const socket = join(folder, 'outer');
    const outer = (...argv: string[]) =>
      execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...argv], { encoding: 'utf8' });
    outer('new-session', '-d', '-s', 'outer', 'cat');
    try {
      vi.stubEnv('TMUX', `${socket},${outer('display-message', '-p', '#{pid}').trim()},0`);
      vi.stubEnv('TMUX_PANE', '%0');
      await using gym = await createGym({ rung });
      const [env, sibling] = [await begin(gym), await begin(gym)];
      await using second = await createGym({ rung });
      const third = await begin(second);
      const sockets = [socket, (await see(sibling, "tmux display-message -p '#{socket_path}'")).trim()];
      expect(await see(env, 'env | grep TMUX; tmux list-sessions -F "#S"')).toBe('main\n');
      const attack = [
        'tmux kill-server',
        'tmux -L default ls',
        ...sockets.map((each) => `tmux -S ${each} kill-server`),
      ];
      for (const command of attack.slice(1)) {
        await see(env, 'tmux kill-server');
        expect((await env.step({ type: 'command', command })).observation).toMatchObject({
          exitCode: 1,
          text: expect.stringMatching(/no server running|error connecting/),
        });
      }
      for (const each of [sibling, third]) expect(await see(each, 'tmux list-sessions -F "#S"')).toBe('main\n');
      expect(outer('list-sessions', '-F', '#S')).toBe('outer\n');
      expect(await env.grade()).toMatchObject({ outcome: 'scored', reward: 0, boundary: null });
      const tried = JSON.stringify(env.trace().filter(({ type }) => type === 'action'));
      for (const each of sockets) expect(tried).toContain(each);
    } finally {
      outer('kill-server');
    }
  });

  test.each([
    ['long', 'x'.repeat(120)],
    ['of few characters and many bytes', '✓'.repeat(35)],
  ])('BR-12 a world has a socket of its own, short and inside, when the run folder is %s', async (_, name) => {
    const long = join(folder, name);
    mkdirSync(long);
    expect(Buffer.byteLength(long)).toBeGreaterThan(108);
    vi.stubEnv('TMPDIR', long);
    {
      await using gym = await createGym({ rung, poolSize: 1 });
      expect(readdirSync(long)).toHaveLength(1);
      expect(await see(await begin(gym), 'tmux list-sessions -F "#S"')).toBe('main\n');
    }
    expect(readdirSync(long)).toEqual([]);
  });
});

describe('F observations', () => {
  test.each([
    ['LC_ALL=C', 'C'],
    ['no locale', undefined],
  ])('BR-23 names and screens are exact, when the gym is started with %s', async (_, locale) => {
    for (const name of Object.keys(process.env).filter((each) => /^(LC_|LANG)/.test(each))) vi.stubEnv(name, undefined);
    vi.stubEnv('LC_ALL', locale);
    await using gym = await createGym({ rung });
    const drawn = '┌─┐ 日本語 ✓ é';
    const task = { ...makePlain([worker('w1', { screen: [drawn] })]), debugLog: true };
    const env = await begin(gym, task);
    const look = `tmux rename-window -t shell 'naïve✓'; tmux list-windows -F '#W'; tmux capture-pane -p -t w1 | head -1`;
    expect(await see(env, look)).toBe(`naïve✓\nw1\n${drawn}\n`);
    await env.step({ type: 'keys', target: 'naïve✓', keys: [`echo ${drawn}`, 'Enter'] });
    expect(await see(env, "sleep 1; tmux capture-pane -p -t 'naïve✓' | sed -n 2p")).toBe(`${drawn}\n`);
  });
});

describe('L children', () => {
  const setUp = (script: string) => makePlain([{ type: 'shell', script, timeoutMs: 2_000 }]);

  test('BR-46 a set-up script is over with its own end, when a grandchild holds its output', async () => {
    await using gym = await createGym({ rung });
    const started = performance.now();
    const env = await begin(gym, setUp(`sh -c 'sleep 60.4601 & echo ok'; echo ok > ok`));
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await see(env, 'cat ok')).toBe('ok\n');
    expect(running('60.4601')).not.toEqual([]);
    await env.close();
    expect(running('60.4601')).toEqual([]);
    await expect.poll(zombies).toEqual([]);
  });

  test('BR-46 a set-up script breaks the set-up by its limit and leaves nothing, when it ignores SIGTERM', async () => {
    await using gym = await createGym({ rung });
    const started = performance.now();
    const stubborn = `trap '' TERM HUP INT; sh -c 'tail -s 60.4602 -f /dev/null & tail -s 60.4602 -f /dev/null'`;
    await expect(begin(gym, setUp(stubborn))).rejects.toMatchObject({ code: 'E_SETUP_SHELL', boundary: 'task' });
    const tookMs = performance.now() - started;
    expect(tookMs).toBeGreaterThanOrEqual(2_000);
    expect(tookMs).toBeLessThan(5_000);
    expect(running('60.4602')).toEqual([]);
    await expect.poll(zombies).toEqual([]);
  });
});
