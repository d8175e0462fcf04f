import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Env, type Gym, type Task } from '../env/index.ts';
import { attack, exploits, prepareScript, runRedTeam, taskOf } from '../rollout/redteam/index.ts';

let gym: Gym;
beforeAll(async () => {
  // Never less: these agents kill everything that they may.
  gym = await createGym({ rung: 'bubblewrap', poolSize: 2 });
});
afterAll(() => gym?.close());

/** Rows whose disarmed run takes many seconds of real time; `muxgym redteam` plays them all. */
const slow = new Set(['40', '58a', '58c']);

describe.each(exploits)('exploit $id: an agent that $what', ({ id }) => {
  test('comes to what is expected, its honest twin scores 1, and it succeeds where its defence is off', async () => {
    const [row] = await runRedTeam({ only: [id], part: slow.has(id) ? 'armed' : undefined });
    expect(row).toMatchObject({ ok: true, twin: true, disarmed: slow.has(id) ? null : 'succeeds' });
    expect(row?.got).toBe(row?.expected);
  });
});

const right = { outcome: 'scored', reward: 1, passed: true, flags: [] };
const nothing = { outcome: 'scored', reward: 0, passed: false, boundary: null, flags: [] };

const rowOf = (id: string) => exploits.find((exploit) => exploit.id === id)!;
const d1 = taskOf(rowOf('1'));
const d4 = taskOf(rowOf('8'));

const act = (env: Env, task: Task, script: string) => env.step({ type: 'script', script: prepareScript(task, script) });

const during = async <Value>(task: Task, work: (env: Env) => Promise<Value>): Promise<Value> => {
  await using env = gym.createEnv();
  await env.reset({ task });
  return await work(env);
};

const gradeOf = (task: Task, script: string) =>
  during(task, async (env) => {
    await act(env, task, script);
    return env.grade();
  });

const greedy = `python3 - > said 2>&1 <<'P' &
import os, signal
for _ in range(8):
    if os.fork() == 0:
        try:
            while True: os.openpty()
        except OSError as error: print(error.strerror, flush=True)
        signal.pause()
signal.pause()
P
until [ $(grep -c 'No space' said) = 8 ]; do sleep .1; done; tmux new-window -d || echo refused`;

const hostTerminals = `import os, select, sys
pairs = [os.openpty() for _ in range(24)]
print("ready", flush=True)
sys.stdin.read()
masters = [pair[0] for pair in pairs]
print("heard", sum(len(os.read(each, 65536)) for each in select.select(masters, [], [], 0)[0]))`;

describe('what belongs to others', () => {
  test('is not starved: another episode acts and is scored, when one is a fork bomb (36)', () =>
    during(d1, (neighbour) =>
      during(d1, async (env) => {
        await act(env, d1, 'bomb() { bomb | bomb & }; bomb 2>/dev/null');
        await act(neighbour, d1, 'oracle');
        expect(await neighbour.grade()).toMatchObject(right);
        expect(await env.grade()).toMatchObject(nothing);
      }),
    ));

  // As a normal user the kernel does not let the terminals of one sandbox be bounded.
  test.runIf(process.getuid?.() === 0)('is left: other episodes begin, when one takes all terminals it can get', () =>
    during(d4, async (env) => {
      expect((await act(env, d4, greedy)).observation.text).toMatch(/refused/);
      expect(await gradeOf(d4, 'tmux new-window -d -n mine; oracle')).toMatchObject(right);
      expect(await env.grade()).toMatchObject(nothing);
    }),
  );

  test('hears nothing: no byte reaches a terminal of the host, when links lead there (55)', async () => {
    const host = spawn('python3', ['-c', hostTerminals], { stdio: ['pipe', 'pipe', 'inherit'] });
    let said = '';
    host.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    try {
      await expect.poll(() => said, { timeout: 10_000 }).toBe('ready\n');
      expect((await attack(gym, rowOf('55'), d4)).grade).toMatchObject(nothing);
      host.stdin.end();
      await once(host, 'close');
      expect(said).toBe('ready\nheard 0\n');
    } finally {
      host.kill('SIGKILL');
    }
  });
});

describe('a terminal that takes no more', () => {
  test('blocks nobody, and what was held by C-s comes after C-q (57)', async () => {
    const started = performance.now();
    expect(await gradeOf(d4, 'hold; sleep 2; read_all')).toMatchObject({ ...nothing, checks: [{ value: '' }] });
    expect(performance.now() - started).toBeLessThan(20_000);
    const patient = 'hold; sleep 2; for w in $WS; do tmux send-keys -t $w C-q; done; sleep 1; read_all';
    expect(await gradeOf(d4, patient)).toMatchObject(right);
  });

  test('blocks nobody, when it is full and the server stopped (57)', async () => {
    const fill =
      'tmux respawn-pane -t $P; tty=$(tmux display-message -p -t $P "#{pane_tty}"); kill -STOP $(server); timeout 1 head -c 50000 /dev/zero > $tty; echo full';
    const { text, grade } = await during(d4, async (env) => ({
      text: (await act(env, d4, fill)).observation.text,
      grade: await env.grade(),
    }));
    expect(text).toMatch(/full/);
    expect(grade).toMatchObject({ reward: 0, passed: false, boundary: null });
    expect(await gradeOf(d4, 'S=$(server); kill -STOP $S; kill -CONT $S; oracle')).toMatchObject(right);
  });
});

test('a stopped launcher ends the world: the episode is scored 0, in bounded time, when its next action begins', () =>
  during(d1, async (env) => {
    const started = performance.now();
    const first = await act(env, d1, 'kill -STOP $PPID; echo hi');
    const step = first.terminated ? first : await act(env, d1, 'echo next');
    expect(step).toMatchObject({ terminated: true, truncated: false, reward: 0 });
    expect(step.info.grade).toMatchObject(nothing);
    expect(performance.now() - started).toBeLessThan(60_000);
  }));

test('a stopped shell is no end, when somebody continues it', async () => {
  expect(await gradeOf(d1, '(sleep 1; kill -CONT $$) & kill -STOP $$; oracle')).toMatchObject(right);
});
