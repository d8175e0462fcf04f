import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Env, type Gym, type Task } from '../env/index.ts';
import { makeTask } from '../generator/index.ts';
import { prepareScript } from '../rollout/redteam/index.ts';

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ rung: 'bubblewrap' });
});
afterAll(() => gym?.close());

const task = makeTask('cliff-d1-n2-s1');
const right = { outcome: 'scored', reward: 1, passed: true, flags: [] };
const nothing = { outcome: 'scored', reward: 0, passed: false, boundary: null };
const masked = { outcome: 'masked', reward: null, passed: false };

const act = (env: Env, script: string, of = task) => env.step({ type: 'script', script: prepareScript(of, script) });

const during = async <Value>(of: Task, work: (env: Env) => Promise<Value>): Promise<Value> => {
  await using env = gym.createEnv();
  await env.reset({ task: of });
  return await work(env);
};

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // it ended meanwhile
  }
};
const pids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
const parentOf = (pid: number) => Number(/^PPid:\t(\d+)$/m.exec(read(pid, 'status'))?.[1] ?? 0);
const isOurs = (pid: number): boolean => pid > 1 && (pid === process.pid || isOurs(parentOf(pid)));
const find = (name: string) => pids().filter((pid) => read(pid, 'comm').startsWith(name) && isOurs(pid));
const stateOf = (pid: number) => /^State:\t(\S)/m.exec(read(pid, 'status'))?.[1] ?? null;

/** Signals the one tmux server of the one episode that lives, as an operator of the machine could. */
const signalServer = async (signal: NodeJS.Signals) => {
  const [server, ...others] = find('tmux: server');
  expect(others).toEqual([]);
  process.kill(server!, signal);
  await expect.poll(() => stateOf(server!)).toBe(signal === 'SIGKILL' ? null : 'T');
};

describe('a tmux server that was killed (1)', () => {
  test('masks the episode, when somebody outside did it between two actions', () =>
    during(task, async (env) => {
      await act(env, 'oracle');
      await signalServer('SIGKILL');
      const step = await act(env, 'tmux list-windows');
      expect(step).toMatchObject({ terminated: true, reward: null });
      expect(step.info.grade).toMatchObject({ ...masked, boundary: 'tmux' });
    }));

  // BR-28: a server killed before grading is no 0.
  test('masks it too, when it was before grading', () =>
    during(task, async (env) => {
      await act(env, 'tmux list-windows');
      await signalServer('SIGKILL');
      expect(await env.grade()).toMatchObject({ ...masked, boundary: 'tmux', failure: expect.stringMatching(/ended/) });
    }));

  test.each([
    ['by a command', 'tmux kill-server'],
    ['by a signal', 'kill -9 $(server)'],
    ['later, by a process that was left', "(setsid bash -c 'real .2; kill -9 $S' &)"],
    [
      'later, by an alarm of a process that only waits',
      `perl -e '$SIG{ALRM} = sub { kill 9, $ENV{S} }; alarm 1; sleep' &`,
    ],
    ['later, by the server itself', "tmux run-shell -b -d .3 'kill -9 #{pid}'"],
    ['later, from a pane', 'tmux send-keys -t main:shell "perl -e \\"alarm 1; sleep\\"; kill -9 $S" Enter'],
  ])('is scored, when the agent did it %s', (_, script) =>
    during(task, async (env) => {
      await act(env, `export S=$(server); export -f real; ${script}`);
      await expect.poll(() => find('tmux: server'), { timeout: 10_000 }).toEqual([]);
      expect(await env.grade()).toMatchObject(nothing);
    }),
  );

  test('leaves other episodes alone', () =>
    during(task, (neighbour) =>
      during(task, async (env) => {
        await act(env, 'tmux kill-server');
        await act(neighbour, 'oracle');
        expect(await neighbour.grade()).toMatchObject(right);
        expect(await env.grade()).toMatchObject(nothing);
      }),
    ));
});

test.each(['SIGKILL', 'SIGSTOP'] as const)(
  'a tmux server that got %s from outside before any action masks the episode',
  (signal) =>
    during(task, async (env) => {
      await signalServer(signal);
      expect(await env.grade()).toMatchObject({ ...masked, boundary: 'tmux' });
    }),
);

describe('a tmux server that was stopped (2)', () => {
  test('masks the episode, when somebody outside did it', () =>
    during(task, async (env) => {
      await act(env, 'tmux list-windows');
      await signalServer('SIGSTOP');
      expect(await env.grade()).toMatchObject({ ...masked, boundary: 'tmux' });
    }));

  test('is scored, when the agent did it', () =>
    during(task, async (env) => {
      await act(env, 'kill -STOP $(server)');
      expect(await env.grade()).toMatchObject(nothing);
    }));
});

describe('a sandbox that was killed from outside (3)', () => {
  test.each(['bwrap', 'launcher'])('masks the episode, when its first "%s" was', (name) =>
    during(task, async (env) => {
      await act(env, 'oracle');
      const [pid] = find(name);
      process.kill(pid!, 'SIGKILL');
      // The gym's own end of the world, at the same moment, could not be told from it.
      await expect.poll(() => find('bwrap')).toEqual([]);
      // The server goes with it, and may be missed first.
      expect(await env.grade()).toMatchObject({ ...masked, boundary: expect.stringMatching(/sandbox|tmux/) });
    }),
  );
});

describe('memory that is taken (14)', () => {
  test('ends what took it, and scores the episode, when the kernel kills', () =>
    during(task, async (env) => {
      const { observation } = await act(env, 'python3 -c "b = bytearray(8 << 30)"; oracle');
      expect(observation.text).toMatch(/MemoryError/);
      expect(await env.grade()).toMatchObject(right);
    }));
});

describe('the wall clock (16)', () => {
  test('has no part in an episode: ticks are the same, when the agent sees any date', () =>
    during(task, async (env) => {
      const step = await act(env, 'date -s "2001-01-01" 2>&1; sleep 2; oracle');
      expect(step.observation.text).toMatch(/not permitted/);
      expect(step.info).toMatchObject({ tick: 2, wallTicks: 0 });
    }));
});

describe('zombies (18)', () => {
  test('are reaped, when their parents leave them', () =>
    during(task, async (env) => {
      const { observation } = await act(
        env,
        '(for i in $(seq 100); do (true &) ; done); real .3; ps -eo stat --no-headers | grep -c Z',
      );
      expect(observation.text).toBe('0\n');
    }));
});

describe('a check that throws (25)', () => {
  // BR-28: a check that throws is no 0.
  test('masks the episode by the grader, and is neither 0 nor 1', () => {
    // A pattern with a secret in it, which is one only as long as the secret stands for itself.
    const [check] = task.checks;
    const broken: Task = { ...task, checks: [{ ...check!, op: 'regex', expect: ['[g-{{slot:0}}]'] }] };
    return during(broken, async (env) => {
      await act(env, 'oracle');
      expect(await env.grade()).toMatchObject({
        ...masked,
        boundary: 'grader',
        failure: expect.stringMatching(/range/i),
      });
    });
  });
});
