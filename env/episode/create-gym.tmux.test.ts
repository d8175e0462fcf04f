import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createGym,
  type Env,
  type Gym,
  hashTask,
  makeSecrets,
  packageRoot,
  parseRunKey,
  type Task,
  taskSchema,
} from '../index.ts';

const goldenPath = new URL('../golden/task.json', import.meta.url);
const golden = taskSchema.parse(JSON.parse(readFileSync(goldenPath, 'utf8')));
const plain: Task = { ...golden, plan: [], debugLog: false };
// Never less: these agents kill everything that they may.
const rung = 'bubblewrap';
const runKey = parseRunKey('cd'.repeat(32));

let temporary: string;
beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'muxgym-gym-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

/** State folders of gyms. */
const folders = () => readdirSync(temporary).filter((name) => name.startsWith('muxgym-'));

const textOf = async (env: Env, command: string) => (await env.step({ type: 'command', command })).observation.text;
const begin = async (gym: Gym, task: Task, sample = 0): Promise<Env> => {
  const env = gym.createEnv();
  await env.reset({ task, sample });
  return env;
};
/** Processes in sandboxes of a state folder: what is bound into them tells where it comes from. */
const processesBelow = (folder: string) =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/mountinfo`, 'latin1').includes(folder);
    } catch {
      return false; // it ended meanwhile
    }
  });

describe('createGym()', () => {
  test('opens on the best rung, with a key of its own', async () => {
    const [left, right] = [await createGym({ rung }), await createGym({ rung, runKey })];
    expect(left.rung).toBe(right.rung);
    expect(left.runKey).toMatch(/^[0-9a-f]{64}$/);
    expect(left.runKey).not.toBe(right.runKey);
    expect(right.runKey).toBe(runKey);
    await left.close();
    await right.close();
    expect(folders()).toEqual([]);
  });

  test('never gives two gyms at once the same user', async () => {
    const gyms = [await createGym({ rung }), await createGym({ rung }), await createGym({ rung })];
    const envs = [];
    for (const gym of [...gyms, ...gyms]) envs.push(await begin(gym, plain));
    const users = await Promise.all(envs.map((env) => textOf(env, 'id -u')));
    if (process.getuid?.() === 0) expect(new Set(users).size).toBe(6);
    await textOf(envs[0]!, 'tmux kill-server; kill -9 -1');
    for (const env of envs.slice(1)) expect(await textOf(env, 'tmux list-sessions -F "#S"')).toBe('main\n');
    for (const gym of gyms) await gym.close();
    expect(folders()).toEqual([]);
  });

  test('sweeps what a killed gym left, and touches no living one', async () => {
    const script = `
      import { createGym, taskSchema } from ${JSON.stringify(pathToFileURL(join(packageRoot(), 'env/index.ts')).href)};
      import { readFileSync } from 'node:fs';
      const task = taskSchema.parse(JSON.parse(readFileSync(new URL(${JSON.stringify(goldenPath.href)}), 'utf8')));
      const gym = await createGym({ rung: 'bubblewrap', poolSize: 1 });
      const env = gym.createEnv();
      await env.reset({ task });
      await env.step({ type: 'command', command: 'setsid tail -f /dev/null &' });
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const living = await createGym({ rung });
    const env = await begin(living, plain);
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: packageRoot(),
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(String((await once(child.stdout, 'data'))[0])).toBe('ready\n');
    const left = folders().find((name) => {
      const path = join(temporary, name, 'owner.json');
      return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).pid === child.pid;
    });
    expect(left).toBeDefined();
    expect(processesBelow(join(temporary, left!))).not.toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(join(temporary, left!))).toBe(true);
    const next = await createGym({ rung });
    await next.close();
    expect(existsSync(join(temporary, left!))).toBe(false);
    await expect.poll(() => processesBelow(join(temporary, left!))).toEqual([]);
    expect(await textOf(env, 'tmux list-sessions -F "#S"')).toBe('main\n');
    await living.close();
    expect(folders()).toEqual([]);
  });
});

describe('prefetch()', () => {
  test('hands out a finished world with the same secrets and the same view as a cold one', async () => {
    const gym = await createGym({ rung, runKey, prefetchLimit: 2 });
    const task: Task = { ...golden, plan: golden.plan.filter(({ type }) => type !== 'worker'), debugLog: false };
    const secret = { ...task, plan: [...task.plan, { type: 'file', path: 'token', content: '{{slot:0}}\n' } as const] };
    const look = 'cat token; tmux list-windows -F "#W #{window_id}"; tmux show-options -g; ls -lR --time-style=+';
    expect(gym.prefetch([{ task: secret }, { task: secret, sample: 1 }, { task }])).toBe(2);
    const seen: string[] = [];
    for (const sample of [0, 0, 1, 1]) {
      const env = await begin(gym, secret, sample);
      seen.push(await textOf(env, look));
      await env.close();
    }
    expect(seen[0]).toBe(seen[1]);
    expect(seen[2]).toBe(seen[3]);
    const [first] = makeSecrets(runKey, hashTask(secret), 0, 2);
    const [other] = makeSecrets(runKey, hashTask(secret), 1, 2);
    expect(seen[0]!.split('\n')[0]).toBe(first);
    expect(seen[2]!.split('\n')[0]).toBe(other);
    await gym.close();
    expect(folders()).toEqual([]);
  });
});

describe('Gym.close()', () => {
  test('ends every episode and every world made ahead, and leaves nothing', async () => {
    const files = readdirSync('/proc/self/fd').length;
    const gym = await createGym({ rung, poolSize: 2 });
    const envs = [await begin(gym, golden), await begin(gym, plain)];
    expect(gym.live).toBe(2);
    expect(processesBelow(temporary)).not.toEqual([]);
    await envs[0]!.close();
    expect(gym.live).toBe(1);
    gym.prefetch([{ task: golden }, { task: plain }]);
    const running = envs[1]!.step({ type: 'command', command: 'tail -f /dev/null' });
    const refused = expect(running).rejects.toMatchObject({ code: 'E_NO_EPISODE' });
    await gym.close();
    await gym.close();
    await refused;
    expect(gym.live).toBe(0);
    expect(folders()).toEqual([]);
    expect(processesBelow(temporary)).toEqual([]);
    await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(files);
  });

  test('is what await using calls', async () => {
    {
      await using gym = await createGym({ rung });
      await using env = gym.createEnv();
      await env.reset({ task: plain });
      expect(folders()).toHaveLength(1);
    }
    expect(folders()).toEqual([]);
  });
});
