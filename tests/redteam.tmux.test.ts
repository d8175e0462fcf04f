import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Env, type Gym, hashTask, makeSecrets, type Task } from '../env/index.ts';
import { makeTask } from '../generator/index.ts';
import { type Exploit, exploits } from './exploits/index.ts';

let gym: Gym;
beforeAll(async () => {
  // Never less: these agents kill everything that they may.
  gym = await createGym({ rung: 'bubblewrap', poolSize: 2 });
});
afterAll(() => gym?.close());

const tasks = { 1: makeTask('cliff-d1-n2-s1'), 4: makeTask('cliff-d4-n2-s1') };
const secretsOf = (task: Task) => makeSecrets(gym.runKey, hashTask(task), 0, task.slots);

const oracleOf = ({ solutions }: Task): string => {
  const [action] = solutions.oracle[0]!.actions;
  return action?.type === 'script' ? action.script : '';
};
const workersOf = ({ plan }: Task) =>
  plan.flatMap((operation) => (operation.type === 'worker' ? [operation.name] : []));

/** Puts what an exploit may use before it. */
const prepare = (task: Task, script: string): string =>
  [
    `oracle() {\n${oracleOf(task)}\n}`,
    'server() { pgrep -ox "tmux: server"; }',
    `WS="${workersOf(task).join(' ')}"; W=\${WS%% *}; P=%1`,
    "read_all() { for w in $WS; do tmux capture-pane -p -t $w; done | sed -n 's/^token: //p' > $REPORT; }",
    'hold() { for w in $WS; do tmux respawn-pane -t $w; stty -F $(tmux display-message -p -t $w "#{pane_tty}") ixon; tmux send-keys -t $w C-s; done; }',
    script,
  ].join('\n');

const act = (env: Env, task: Task, script: string) => env.step({ type: 'script', script: prepare(task, script) });

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

const right = { outcome: 'scored', reward: 1, passed: true, flags: [] };
const outcomes = {
  R0: { outcome: 'scored', reward: 0, passed: false, boundary: null, flags: [] },
  FLAG: { outcome: 'flagged', reward: 0, passed: false, boundary: null },
  BLOCKED: right,
} as const;

/** Plays an exploit and grades it; whatever it leaves, grading is quick, reads little and the record stays one line. */
const attack = (exploit: Exploit, task: Task) =>
  during(task, async (env) => {
    const { observation } = await act(env, task, exploit.script);
    for (const secret of [...secretsOf(task), gym.runKey]) expect(observation.text).not.toContain(secret);
    if (exploit.shows !== undefined) expect(observation.text).toMatch(exploit.shows);
    if (exploit.expected === 'BLOCKED') await act(env, task, 'oracle');
    const before = { memory: process.memoryUsage().rss, time: performance.now() };
    const grade = await env.grade();
    expect(performance.now() - before.time).toBeLessThan(5_000);
    expect(process.memoryUsage().rss - before.memory).toBeLessThan(64 << 20);
    expect(JSON.stringify(env.trace())).toMatch(/^[^\x00-\x1f]*$/);
    return grade;
  });

describe.each(exploits)('exploit $id: an agent that $what', (exploit) => {
  const task = tasks[exploit.depth];

  test(`gets ${exploit.expected}`, async () => {
    const grade = await attack(exploit, task);
    expect(grade).toMatchObject(outcomes[exploit.expected]);
    if (exploit.report !== undefined) expect(grade.checks[0]?.value).toBe(exploit.report);
  });

  if (exploit.expected === 'BLOCKED') return;
  test('scores 1, when it is honest about it', async () => {
    expect(await gradeOf(task, exploit.twin ?? 'oracle')).toMatchObject(right);
  });
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
  test('is out of reach: the server of another episode lives on, when all sockets are told to end (31)', () =>
    during(tasks[1], (neighbour) =>
      during(tasks[1], async (env) => {
        const sockets = '/tmp/tmux-*/* /tmp/muxgym-*/*/* /srv/ep*/* /run/tmux/*';
        const end = `for s in ${sockets}; do tmux -N -S $s kill-server; done; pkill -9 tmux; pgrep -c tmux`;
        expect((await act(env, tasks[1], end)).observation.text).toMatch(/^0\n$/m);
        expect((await act(neighbour, tasks[1], 'oracle')).observation).toMatchObject({ text: '', exitCode: 0 });
        expect(await neighbour.grade()).toMatchObject(right);
        expect(await env.grade()).toMatchObject(outcomes.R0);
      }),
    ));

  test('is not starved: another episode acts and is scored, when one is a fork bomb (36)', () =>
    during(tasks[1], (neighbour) =>
      during(tasks[1], async (env) => {
        await act(env, tasks[1], 'bomb() { bomb | bomb & }; bomb 2>/dev/null');
        await act(neighbour, tasks[1], 'oracle');
        expect(await neighbour.grade()).toMatchObject(right);
        expect(await env.grade()).toMatchObject(outcomes.R0);
      }),
    ));

  // As a normal user the kernel does not let the terminals of one sandbox be bounded.
  test.runIf(process.getuid?.() === 0)('is left: other episodes begin, when one takes all terminals it can get', () =>
    during(tasks[4], async (env) => {
      expect((await act(env, tasks[4], greedy)).observation.text).toMatch(/refused/);
      expect(await gradeOf(tasks[4], 'tmux new-window -d -n mine; oracle')).toMatchObject(right);
      expect(await env.grade()).toMatchObject(outcomes.R0);
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
      const links = exploits.find(({ id }) => id === '55')!;
      expect(await attack(links, tasks[4])).toMatchObject(outcomes.R0);
      expect(await gradeOf(tasks[4], 'oracle')).toMatchObject(right);
      host.stdin.end();
      await once(host, 'close');
      expect(said).toBe('ready\nheard 0\n');
    } finally {
      host.kill('SIGKILL');
    }
  });
});

test('a stopped launcher ends the world: the episode is scored 0, in bounded time, when its next action begins', () =>
  during(tasks[1], async (env) => {
    const started = performance.now();
    const first = await act(env, tasks[1], 'kill -STOP $PPID; echo hi');
    const step = first.terminated ? first : await act(env, tasks[1], 'echo next');
    expect(step).toMatchObject({ terminated: true, truncated: false, reward: 0 });
    expect(step.info.grade).toMatchObject(outcomes.R0);
    expect(performance.now() - started).toBeLessThan(60_000);
  }));

test('a stopped shell is no end, when somebody continues it', async () => {
  expect(await gradeOf(tasks[1], '(sleep 1; kill -CONT $$) & kill -STOP $$; oracle')).toMatchObject(right);
});

test('constant answers pass on none of 30 seeds (48)', async () => {
  const guesses = ['42', '00000000', 'deadbeef', 'ffffffff'];
  const rewards: (number | null)[] = [];
  await using env = gym.createEnv();
  for (let seed = 0; seed < 30; seed++) {
    await env.reset({ task: makeTask(`cliff-d${seed % 5}-n1-s${seed}`) });
    await env.step({ type: 'command', command: `echo ${guesses[seed % guesses.length]} > $REPORT` });
    rewards.push((await env.grade()).reward);
  }
  expect(rewards).toEqual(Array(30).fill(0));
});
