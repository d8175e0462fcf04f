import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Action, createGym, type Env, type Gym, type Limits, taskSchema } from '../index.ts';

const golden = taskSchema.parse(JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')));

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ rung: 'bubblewrap', poolSize: 1 });
});
afterAll(() => gym?.close());

const begin = async (limits: Partial<Limits> = {}): Promise<Env> => {
  const env = gym.createEnv();
  await env.reset({
    task: { ...golden, plan: [], debugLog: false, limits: { ...golden.limits, ticks: 1_000, ...limits } },
  });
  return env;
};

/** Takes one action; `ticks` and `wallMs` are those of this action. */
const act = async (env: Env, action: string | Action) => {
  const before = env.trace().at(-1)?.tick ?? 0;
  const started = performance.now();
  const step = await env.step(typeof action === 'string' ? { type: 'command', command: action } : action);
  const { tick, wallTicks, actionCut, reproducible } = step.info;
  const wallMs = performance.now() - started;
  const { text, exitCode } = step.observation;
  return {
    text,
    exitCode,
    ticks: tick - before,
    wallTicks,
    actionCut,
    reproducible,
    wallMs,
    truncated: step.truncated,
  };
};

/** Acts in a fresh episode and ends it. */
const actAlone = async (action: string | Action, limits: Partial<Limits> = {}) => {
  const env = await begin(limits);
  try {
    return await act(env, action);
  } finally {
    await env.close();
  }
};

const quick = 1_500;

describe('an action', () => {
  test('takes one tick, when it does not wait', async () => {
    expect(await actAlone('echo hi')).toMatchObject({ text: 'hi\n', exitCode: 0, ticks: 1, wallTicks: 0 });
  });

  test.each<[string, { text?: string; exitCode?: number; ticks: number }]>([
    ['sleep 3', { exitCode: 0, ticks: 3 }],
    ['sleep 2.5; echo woke', { text: 'woke\n', ticks: 3 }],
    ['/bin/sleep 2; command -p sleep 1; env sleep 1', { exitCode: 0, ticks: 4 }],
    ['for i in 1 2 3 4 5; do sleep 1; done', { exitCode: 0, ticks: 5 }],
    ['sleep 2 & sleep 3 & wait; echo both', { text: 'both\n', ticks: 3 }],
    ['timeout 2 sleep 100', { exitCode: 124, ticks: 2 }],
    ['timeout 9 sleep 2', { exitCode: 0, ticks: 2 }],
    ['timeout -s KILL 2 sleep 100', { exitCode: 137, ticks: 2 }],
    ['timeout -k 1 2 bash -c "trap : TERM; while :; do sleep 50; done"', { exitCode: 137, ticks: 3 }],
    [
      'timeout 2 bash -c \'trap "echo caught; exit 5" TERM; while :; do sleep 1; done\'',
      { text: 'Terminated\ncaught\n', exitCode: 124, ticks: 2 },
    ],
    ['timeout -vk5 2 sleep 100 2>/dev/null', { exitCode: 124, ticks: 2 }],
    ['sleep 0x3', { exitCode: 0, ticks: 3 }],
    ['timeout .5 tmux wait-for never', { exitCode: 124, ticks: 1 }],
    ["timeout 2 sh -c 'timeout 1 sleep 9; echo $?; sleep 9'", { text: '124\n', exitCode: 124, ticks: 2 }],
    ['(sleep 2; tmux wait-for -S go) & tmux wait-for go', { exitCode: 0, ticks: 2 }],
    ['tmux wait-for -S early; tmux wait-for early', { exitCode: 0, ticks: 1 }],
    ['tmux run-shell "sleep 2; echo out > out"; cat out', { text: 'out\n', ticks: 2 }],
    ['tmux new-window -d -n w "sleep 3; tmux wait-for -S died"; tmux wait-for died', { exitCode: 0, ticks: 3 }],
    ['for i in $(seq 100); do sleep 50 & done; sleep 1; jobs -r | wc -l', { text: '100\n', ticks: 1 }],
    ['sh -c "kill -STOP \\$\\$" & sleep 2; jobs | grep -c Stopped', { ticks: 2 }],
  ])('spends virtual time and no real time, when it is: %s', async (command, expected) => {
    const step = await actAlone(command);
    expect(step).toMatchObject({ ...expected, wallTicks: 0, actionCut: false, reproducible: true });
    expect(step.wallMs).toBeLessThan(quick);
  });

  test('is cut at its tick budget with a mark, when it sleeps for longer, and the next one goes on', async () => {
    const env = await begin({ ticksPerAction: 7 });
    const step = await act(env, 'echo before; sleep 1000; echo after');
    expect(step).toMatchObject({ exitCode: null, ticks: 7, actionCut: true, truncated: false });
    expect(step.text).toMatch(/^before\n\n\[the action was ended: it was still running after 7 ticks\]\n$/);
    expect(step.wallMs).toBeLessThan(quick);
    expect(await act(env, 'pgrep -c sleep')).toMatchObject({ text: '0\n', ticks: 1 });
    await env.close();
  });

  test('is cut, when the tmux server that it asks was stopped', async () => {
    const env = await begin({ ticksPerAction: 4 });
    await act(env, 'kill -STOP $(tmux display-message -p "#{pid}")');
    expect(await act(env, 'tmux list-sessions')).toMatchObject({ ticks: 4, actionCut: true, reproducible: true });
    expect(await act(env, 'pkill -CONT tmux; tmux list-sessions -F "#{session_name}"')).toMatchObject({
      text: 'main\n',
      ticks: 1,
    });
    await env.close();
  });

  test.each<[string, { exitCode: number; ticks: number }]>([
    ['python3 -c "import time; time.sleep(2)"', { exitCode: 0, ticks: 2 }],
    ['read -t 2 line < <(tmux wait-for never); test $? -gt 128', { exitCode: 0, ticks: 2 }],
    ['python3 -c "import threading; print(threading.Event().wait(1.8))"', { exitCode: 0, ticks: 2 }],
    ['tmux run-shell -d 2 "tmux wait-for -S late"; tmux wait-for late', { exitCode: 0, ticks: 2 }],
  ])('gets its real time, when it waits on a real timer: %s', async (command, expected) => {
    const step = await actAlone(command);
    expect(step).toMatchObject({ ...expected, wallTicks: 2, actionCut: false, reproducible: true });
    expect(step.wallMs).toBeGreaterThan(1_500);
  });

  test('does not burn the schedule, when it polls on short real timers', async () => {
    const polls = 'import time\nfor _ in range(100): time.sleep(.004)';
    expect(await actAlone(`python3 -c '${polls}'`)).toMatchObject({ exitCode: 0, ticks: 1, actionCut: false });
  });

  test('ends, when it computes, hangs in the kernel or twitches for ever', async () => {
    const twitch = 'import time\nwhile True: time.sleep(.0005)';
    const [computing, hanging, twitching] = await Promise.all([
      actAlone('while :; do :; done', { ticksPerAction: 1 }),
      actAlone('python3 -c "import ctypes; l = ctypes.CDLL(None); l.vfork() or l.pause()"', { ticksPerAction: 1 }),
      actAlone(`python3 -c '${twitch}'`, { ticksPerAction: 1 }),
    ]);
    for (const step of [computing, hanging, twitching]) {
      expect(step).toMatchObject({ exitCode: null, ticks: 1, wallTicks: 1, actionCut: true, reproducible: false });
      expect(step.wallMs).toBeGreaterThan(5_000);
    }
  });
});

describe('a background sleeper', () => {
  test('does not push time, and wakes in its order', async () => {
    const env = await begin();
    expect(
      await act(env, '(sleep 3; echo c >> log) & (sleep 2; echo b >> log) & (sleep .5; echo a >> log) &'),
    ).toMatchObject({ ticks: 1 });
    expect(await act(env, 'cat log')).toMatchObject({ text: 'a\n', ticks: 1 });
    expect(await act(env, 'cat log')).toMatchObject({ text: 'a\nb\n', ticks: 1 });
    expect(await act(env, 'cat log')).toMatchObject({ text: 'a\nb\nc\n', ticks: 1 });
    await env.close();
  });

  test('wakes first that was due first, when many are due in one long sleep', async () => {
    const env = await begin();
    await act(env, 'for i in 9 3 7 1 5 8 2 6 4; do (sleep $i; echo $i >> log) & done');
    expect(await act(env, 'sleep 12; tr -d "\\n" < log')).toMatchObject({ text: '123456789', ticks: 12 });
    await env.close();
  });

  test('cannot hold a tick for ever, when it wakes again and again', async () => {
    const env = await begin();
    const step = await act(env, '(while :; do sleep .001; done) & sleep .001');
    expect(step).toMatchObject({ ticks: 1, actionCut: false });
    await env.close();
  });
});

describe('wait', () => {
  test('lets whole ticks pass and sleepers wake, in no real time', async () => {
    const env = await begin();
    await act(env, '(sleep 4; echo woke > log) &');
    expect(await act(env, { type: 'wait', ticks: 2 })).toMatchObject({ text: '', exitCode: null, ticks: 2 });
    expect(await act(env, 'cat log')).toMatchObject({ exitCode: 1 });
    const step = await act(env, { type: 'wait', ticks: 50 });
    expect(step).toMatchObject({ ticks: 50, wallTicks: 0, reproducible: true });
    expect(step.wallMs).toBeLessThan(quick);
    expect(await act(env, 'cat log')).toMatchObject({ text: 'woke\n' });
    await env.close();
  });

  test('gives a real timer of the background its real time', async () => {
    const env = await begin();
    await act(env, "python3 -c \"import time; time.sleep(1.2); open('log', 'w').write('woke')\" &");
    expect(await act(env, { type: 'wait', ticks: 4 })).toMatchObject({ ticks: 4, reproducible: true });
    expect(await act(env, 'cat log')).toMatchObject({ text: 'woke' });
    await env.close();
  });

  test('stops at the limit of the episode', async () => {
    const env = await begin({ ticks: 5 });
    expect(await act(env, { type: 'wait', ticks: 100_000 })).toMatchObject({ ticks: 5, truncated: 'ticks' });
    await env.close();
  });
});

test('the same script takes the same ticks and shows the same, 10 times over', async () => {
  const script = [
    '(sleep 1.5; echo bell >> log; tmux wait-for -S rang) &',
    'timeout 3 tmux wait-for rang; echo $?; cat log',
    'tmux new-window -d -n w "sleep 2; exit 3"; tmux set-option -w -t w remain-on-exit on; sleep 4',
    'tmux list-panes -a -F "#{window_name} #{pane_dead}"; timeout 1 sleep 5; echo $?',
  ];
  const seen = new Set<string>();
  for (let run = 0; run < 10; run++) {
    const env = await begin();
    const steps = [];
    for (const command of script) {
      const { ticks, text } = await act(env, command);
      steps.push([ticks, text]);
    }
    await env.close();
    seen.add(JSON.stringify(steps));
  }
  expect([...seen]).toEqual([
    JSON.stringify([
      [1, ''],
      [1, '0\nbell\n'],
      [4, ''],
      [1, 'shell 0\nw 1\n124\n'],
    ]),
  ]);
});
