import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Action,
  createGym,
  type Env,
  type Gym,
  hashTask,
  type Limits,
  makeSecrets,
  parseRunKey,
  type Task,
  taskSchema,
  traceLineSchema,
} from '../index.ts';

const golden = taskSchema.parse(JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')));
// Never less: these agents kill everything that they may.
const rung = 'bubblewrap';
const runKey = parseRunKey('ab'.repeat(32));
/** A file, an option, a window, and two dead workers whose tokens a restart prints. */
const posed: Task = {
  ...golden,
  plan: golden.plan.map((operation) =>
    operation.type === 'worker' ? { ...operation, dead: operation.dead ?? { status: 200 } } : operation,
  ),
  checks: golden.checks.slice(0, 1),
};
/** Nothing set up, no log. */
const plain: Task = { ...posed, plan: [], debugLog: false };
const limited = (limits: Partial<Limits>): Task => ({ ...plain, limits: { ...plain.limits, ...limits } });

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ rung, runKey, poolSize: 1 });
});
afterAll(() => gym?.close());

const command = (text: string): Action => ({ type: 'command', command: text });
const done: Action = { type: 'done' };

/** Runs in a fresh episode of the task, which is ended afterwards. */
const during = async <Value>(task: Task, work: (env: Env) => Promise<Value>, sample = 0): Promise<Value> => {
  const env = gym.createEnv();
  try {
    await env.reset({ task, sample });
    return await work(env);
  } finally {
    await env.close();
  }
};
const textOf = async (env: Env, text: string) => (await env.step(command(text))).observation.text;
const secretsOf = (task: Task, sample = 0) => makeSecrets(runKey, hashTask(task), sample, task.slots);

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
const bubblewraps = () =>
  childrenOf(process.pid).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('bwrap'));

/** An episode of a gym of its own, with the outer pid of the bubblewrap that holds it. */
const duringOwn = async <Value>(work: (env: Env, bubblewrap: number) => Promise<Value>): Promise<Value> => {
  const own = await createGym({ rung, runKey });
  try {
    const before = new Set(bubblewraps());
    const env = own.createEnv();
    await env.reset({ task: plain });
    const [pid] = bubblewraps().filter((each) => !before.has(each));
    return await work(env, pid!);
  } finally {
    await own.close();
  }
};

describe('reset()', () => {
  test('poses the task as its plan says, and hides how', () =>
    during(posed, async (env) => {
      expect(await textOf(env, 'cat notes/read-me.txt; stat -c "%U %a" notes notes/read-me.txt')).toBe(
        'naïve ✓ 日本\nagent 755\nagent 644\n',
      );
      expect(await textOf(env, 'tmux show-options -gv @mode')).toBe('plain; $HOME "quoted"\n');
      expect(
        await textOf(
          env,
          'tmux list-windows -a -F "#{session_name} #{window_name} #{pane_dead} #{window_width}x#{window_height}"',
        ),
      ).toBe('main shell 0 200x50\nmain logs 0 200x50\nmain w1 1 200x50\nmain w2 1 200x50\n');
      expect(await textOf(env, 'tmux capture-pane -p -S - -t w1 | head -1')).toBe('worker w1 stopped\n');
      expect(await textOf(env, 'tmux list-clients; tmux list-sessions -F "#{session_name} #{session_attached}"')).toBe(
        'main 0\n',
      );
      const traces = await textOf(env, 'tmux show-environment -g; cat /proc/*/cmdline; env');
      for (const secret of secretsOf(posed)) expect(traces).not.toContain(secret);
    }));

  test('gives prompt, hash and rung, and an empty observation', async () => {
    const env = gym.createEnv();
    expect(await env.reset({ task: plain })).toEqual({
      observation: { text: '', exitCode: null, cutBytes: 0 },
      info: { prompt: plain.prompt, taskHash: hashTask(plain), rung: gym.rung, tick: 0 },
    });
    await env.close();
  });

  test('gives the members of a group the same world, and another sample other secrets only', async () => {
    const look =
      'tmux list-panes -a -F "#{window_name} #{pane_id} #{pane_pid} #{pane_dead} #{pane_width}x#{pane_height}"; tmux show-options -g; ls -lR --time-style=+; ps -eo args | grep -v /opt/launcher';
    const restart =
      'for w in w1 w2; do tmux respawn-pane -t $w; done; sleep 1; for w in w1 w2; do tmux capture-pane -p -t $w; done';
    const see = (sample: number) =>
      during(
        posed,
        async (env) => [await textOf(env, look), (await textOf(env, restart)).match(/[0-9a-f]{8}/g)],
        sample,
      );
    const [first, second, other] = [await see(0), await see(0), await see(1)];
    expect(second).toEqual(first);
    expect(first[1]).toEqual(secretsOf(posed, 0));
    expect(other[0]).toEqual(first[0]);
    expect(other[1]).toEqual(secretsOf(posed, 1));
    expect(secretsOf(posed, 0)).not.toEqual(secretsOf(posed, 1));
  });

  test('refuses a task that cannot be posed with E_TASK, and makes no world', async () => {
    const env = gym.createEnv();
    const bad = [
      { ...plain, plan: [{ type: 'window', name: 'shell' }] },
      { ...plain, slots: 0 },
      { ...plain, checks: [{ ...plain.checks[0]!, op: 'regex', expect: ['('] }] },
      { id: 'none' },
    ] as Task[];
    for (const task of bad)
      await expect(env.reset({ task })).rejects.toMatchObject({ name: 'InputError', code: 'E_TASK' });
    expect(() => gym.prefetch([{ task: bad[0]! }])).toThrow(expect.objectContaining({ code: 'E_TASK' }));
    await env.reset({ task: plain });
    expect(await textOf(env, 'echo ok')).toBe('ok\n');
    await env.close();
  });

  test('ends the episode before', async () => {
    const env = gym.createEnv();
    await env.reset({ task: plain });
    await env.step(command('echo old > old'));
    await env.reset({ task: plain });
    expect(await textOf(env, 'ls')).toBe('');
    expect(env.trace()).toHaveLength(3);
    await env.close();
  });
});

describe('step()', () => {
  test('plays D4 to a full reward', () =>
    during(posed, async (env) => {
      await env.step(command('tmux respawn-pane -t w1; tmux respawn-pane -t w2'));
      await env.step({ type: 'wait', ticks: 1 });
      const grep = 'for w in w1 w2; do tmux capture-pane -p -t $w; done | grep -o "[0-9a-f]\\{8\\}" > $REPORT';
      await env.step({ type: 'script', script: `set -e\n${grep}\n` });
      const step = await env.step(done);
      expect(step).toMatchObject({ reward: 1, terminated: true, truncated: false, info: { steps: 4 } });
      expect(step.info.grade).toMatchObject({ outcome: 'scored', reward: 1, passed: true, flags: [] });
      expect(await env.grade()).toEqual(step.info.grade);
      expect(env.trace().map(({ type }) => type)).toEqual(
        'reset action play play observation action observation action observation action grade'.split(' '),
      );
    }));

  test('shows both streams as exact UTF-8, and the exit code', () =>
    during(plain, async (env) => {
      const { observation, reward, terminated, truncated } = await env.step(
        command(
          'tmux rename-window "naïve✓"; tmux list-windows -F "#W"; echo "日本 ─┐" >&2; printf "\\xff|\\r\\t"; exit 9',
        ),
      );
      expect(observation).toEqual({ text: 'naïve✓\n日本 ─┐\n�|\r\t', exitCode: 9, cutBytes: 0 });
      expect({ reward, terminated, truncated }).toEqual({ reward: 0, terminated: false, truncated: false });
      await env.step(command('tmux send-keys -t "naïve✓" "echo 日本─┐✓" Enter'));
      expect(await textOf(env, 'tmux capture-pane -p | head -2')).toBe('$ echo 日本─┐✓\n日本─┐✓\n');
    }));

  test('sends keys to a pane, as send-keys takes them', () =>
    during(plain, async (env) => {
      const keys = (...list: string[]) => env.step({ type: 'keys', target: 'main:shell', keys: list });
      expect(await keys('echo hi there; # ~', 'Enter')).toMatchObject({ observation: { text: '', exitCode: 0 } });
      expect(await textOf(env, 'tmux capture-pane -p | head -2')).toBe('$ echo hi there; # ~\nhi there\n');
      await keys('-l', 'Enter');
      expect(await textOf(env, 'tmux capture-pane -p | grep -c -- "-l"')).not.toBe('0\n');
      const missing = await env.step({ type: 'keys', target: '%99', keys: ['x'] });
      expect(missing.observation).toEqual({ text: "can't find pane: %99\n", exitCode: 1, cutBytes: 0 });
    }));

  test('marks output that was cut, with how much', () =>
    during(limited({ observationBytes: 256 }), async (env) => {
      const { observation } = await env.step(command('head -c 1000 /dev/zero | tr "\\0" x'));
      expect(observation).toEqual({
        text: `${'x'.repeat(256)}\n[744 more bytes of output were cut]\n`,
        exitCode: 0,
        cutBytes: 744,
      });
      expect((await env.step(command('head -c 256 /dev/zero | tr "\\0" x'))).observation).toEqual({
        text: 'x'.repeat(256),
        exitCode: 0,
        cutBytes: 0,
      });
    }));

  test('counts what was cut of an action that it ended, too', () =>
    during(limited({ observationBytes: 256, ticksPerAction: 2 }), async (env) => {
      const { observation } = await env.step(command('head -c 1000 /dev/zero | tr "\\0" x; sleep 100'));
      expect(observation).toEqual({
        text: `${'x'.repeat(256)}\n[744 more bytes of output were cut]\n\n[the action was ended: it was still running after 2 ticks]\n`,
        exitCode: null,
        cutBytes: 744,
      });
    }));

  test('counts steps, ticks and time, and truncates with the reason', async () => {
    const last = (limits: Partial<Limits>, ...commands: string[]) =>
      during(limited(limits), async (env) => {
        const steps = [];
        for (const text of commands) steps.push(await env.step(command(text)));
        await expect(env.step(done)).rejects.toMatchObject({ code: 'E_NO_EPISODE' });
        const { truncatedBy, steps: count, ticks } = env.summary();
        const { terminated, truncated, reward, info } = steps.at(-1)!;
        expect(steps.slice(0, -1).every((step) => step.truncated === false && step.info.grade === null)).toBe(true);
        expect(truncated).toBe(truncatedBy);
        return { terminated, truncatedBy, count, ticks, reward, outcome: info.grade?.outcome };
      });
    const token = secretsOf(limited({ steps: 2 }));
    expect(await last({ steps: 2 }, `echo ${token[0]} > $REPORT`, 'true')).toEqual({
      terminated: false,
      truncatedBy: 'steps',
      count: 2,
      ticks: 2,
      reward: 0.5,
      outcome: 'scored',
    });
    expect(await last({ ticks: 4 }, 'true', 'sleep 3')).toMatchObject({ truncatedBy: 'ticks', ticks: 4 });
    expect(await last({ ticks: 4 }, 'sleep 100')).toMatchObject({ truncatedBy: 'ticks', ticks: 4 });
    expect(await last({ wallMs: 700 }, 'true', 'while :; do :; done')).toMatchObject({ truncatedBy: 'time', count: 2 });
  });

  test('refuses an action that is none, and goes on', () =>
    during(plain, async (env) => {
      for (const bad of [null, {}, { type: 'wait', ticks: 0 }, { type: 'command' }, { type: 'done', extra: 1 }]) {
        await expect(env.step(bad as Action)).rejects.toMatchObject({ name: 'InputError', code: 'E_ACTION' });
      }
      expect(await env.step(command('echo on'))).toMatchObject({
        observation: { text: 'on\n' },
        info: { steps: 1, tick: 1 },
      });
    }));
});

describe('the order of calls', () => {
  test('is reset, step, grade: anything else is refused with E_NO_EPISODE', async () => {
    const env = gym.createEnv();
    const refused = { name: 'InputError', code: 'E_NO_EPISODE' };
    await expect(env.step(done)).rejects.toMatchObject(refused);
    await expect(env.grade()).rejects.toMatchObject(refused);
    expect(() => env.summary()).toThrow(expect.objectContaining(refused));
    expect(() => env.trace()).toThrow(expect.objectContaining(refused));
    await env.reset({ task: plain });
    expect(() => env.summary()).toThrow(expect.objectContaining(refused));
    const grade = await env.grade('context');
    expect(await env.grade()).toEqual(grade);
    expect(env.summary()).toMatchObject({ truncatedBy: 'context', grade });
    await expect(env.step(command('true'))).rejects.toMatchObject(refused);
    await env.close();
    await env.close();
    await expect(env.step(command('true'))).rejects.toMatchObject(refused);
    expect(await env.grade()).toEqual(grade);
    await expect(env.reset({ task: plain })).rejects.toMatchObject(refused);
  });

  test('refuses a call that overlaps another with E_BUSY', () =>
    during(plain, async (env) => {
      const running = env.step(command('sleep 3; echo whole'));
      const busy = { name: 'InputError', code: 'E_BUSY' };
      await expect(env.step(command('true'))).rejects.toMatchObject(busy);
      await expect(env.grade()).rejects.toMatchObject(busy);
      await expect(env.reset({ task: plain })).rejects.toMatchObject(busy);
      expect(await running).toMatchObject({ observation: { text: 'whole\n' } });
      expect(await textOf(env, 'echo free')).toBe('free\n');
    }));

  test('never grades an episode that was closed ungraded, though another world took its place', async () => {
    const closed = gym.createEnv();
    await closed.reset({ task: plain });
    await closed.close();
    await during(plain, async (env) => {
      await env.step(command(`printf '%s\\n' ${secretsOf(plain).join(' ')} > $REPORT`));
      await expect(closed.grade()).rejects.toMatchObject({ code: 'E_NO_EPISODE' });
      expect(await env.grade()).toMatchObject({ reward: 1 });
    });
  });

  test('gives no reward to a step that close() interrupted', async () => {
    const env = gym.createEnv();
    await env.reset({ task: plain });
    const running = env.step(command('tail -f /dev/null'));
    await env.close();
    await expect(running).rejects.toMatchObject({ code: 'E_NO_EPISODE' });
  });
});

describe('what an agent breaks is data', () => {
  const write = `printf '%s\\n' ${secretsOf(plain).join(' ')} > $REPORT`;

  test.each([
    ['its tmux server', 'tmux kill-server; tmux list-sessions'],
    ['its tmux server, by signal', 'kill -9 $(tmux display-message -p "#{pid}")'],
    ['its own shell', 'kill -9 $$'],
    ['its output', 'exec >&- 2>&-; echo lost'],
    ['its disk', 'head -c 70M /dev/zero > ~/full 2>/dev/null; rm ~/full'],
  ])('when it is %s: the episode goes on and is scored', (_, attack) =>
    during(plain, async (env) => {
      expect((await env.step(command(attack))).terminated).toBe(false);
      await env.step(command(write));
      expect((await env.step(done)).info.grade).toMatchObject({ outcome: 'scored', reward: 1, boundary: null });
    }),
  );

  test.each([
    ['everything it may', 'kill -9 -1'],
    ['the launcher', 'pkill -9 launcher'],
    ['the launcher, between two actions', '(sleep .5; pkill -9 launcher) &'],
    ['the launcher, but only stops it', 'pkill -STOP launcher'],
  ])('when it kills %s: the episode ends and is scored as it stands', (_, attack) =>
    during(plain, async (env) => {
      await env.step(command(write.replace('> $REPORT', '| head -1 > $REPORT')));
      let step = await env.step(command(attack));
      if (!step.terminated) step = await env.step(command('true'));
      expect(step).toMatchObject({ terminated: true, truncated: false, reward: 0.5 });
      expect(step.info.grade).toMatchObject({ outcome: 'scored', boundary: null });
    }),
  );

  test('with a stopped server: grading and teardown take no time', () =>
    during(posed, async (env) => {
      await env.step(command('kill -STOP $(tmux display-message -p "#{pid}")'));
      const started = performance.now();
      expect(await env.grade()).toMatchObject({ outcome: 'scored', reward: 0 });
      expect(performance.now() - started).toBeLessThan(1_000);
    }));

  test('with a report that is a trap: it scores 0 and nothing hangs', async () => {
    for (const trap of [
      'ln -s /dev/zero $REPORT',
      'mkfifo $REPORT',
      'mkdir $REPORT',
      'ln -s ~/right $REPORT',
      'ln ~/right $REPORT',
    ]) {
      await during(plain, async (env) => {
        await env.step(command(`REPORT=~/right; ${write}`));
        await env.step(command(trap));
        const started = performance.now();
        const grade = await env.grade();
        expect(performance.now() - started).toBeLessThan(1_000);
        expect(grade).toMatchObject({ outcome: 'scored', reward: 0, checks: [{ value: null }] });
      });
    }
  });
});

describe('what the machine breaks is masked, with no reward', () => {
  const ways: readonly (readonly [string, (bubblewrap: number) => number])[] = [
    ['bubblewrap', (pid) => pid],
    ['the init of the sandbox', (pid) => childrenOf(pid)[0]!],
  ];
  const gone = (pid: number) => expect.poll(() => bubblewraps().includes(pid)).toBe(false);
  const masked = { outcome: 'masked', reward: null, passed: false, boundary: 'sandbox' };

  test.runIf(process.getuid?.() === 0).each(ways)('when %s was killed', async (_, victimOf) => {
    await duringOwn(async (env, pid) => {
      process.kill(victimOf(pid), 'SIGKILL');
      const step = await env.step(command('echo > $REPORT'));
      expect(step).toMatchObject({ terminated: true, reward: null, info: { grade: masked } });
    });
    await duringOwn(async (env, pid) => {
      process.kill(victimOf(pid), 'SIGKILL');
      await gone(pid);
      expect(await env.step(done)).toMatchObject({ terminated: true, reward: null, info: { grade: masked } });
      expect(env.summary().grade).toMatchObject(masked);
    });
    await duringOwn(async (env, pid) => {
      const running = env.step(command('tail -f /dev/null'));
      process.kill(victimOf(pid), 'SIGKILL');
      expect(await running).toMatchObject({ terminated: true, reward: null, info: { grade: masked } });
    });
  });
});

describe('trace() and summary()', () => {
  test('hold every step, in lines that the schema takes, without a secret that was not shown', () =>
    during(posed, async (env) => {
      await env.step(command('tmux respawn-pane -t w1; sleep 1'));
      await env.step({ type: 'wait', ticks: 2 });
      await env.step({ type: 'keys', target: '%0', keys: ['x'] });
      await env.step(command('sleep 1000'));
      await env.step(done);
      const lines = env.trace().map((line) => traceLineSchema.parse(JSON.parse(JSON.stringify(line))));
      expect(lines).toEqual(env.trace());
      expect(lines.map(({ tick }) => tick)).toEqual([...lines.map(({ tick }) => tick)].sort((a, b) => a - b));
      expect(lines.filter(({ type }) => type === 'play')).toEqual([
        { type: 'play', tick: 0, pane: '%2', bytes: 15, virtual_ms: 500 },
      ]);
      for (const secret of secretsOf(posed)) expect(JSON.stringify(lines)).not.toContain(secret);
      expect(env.summary()).toMatchObject({
        steps: 5,
        ticks: 24,
        wallTicks: 0,
        reproducible: true,
        truncatedBy: null,
        rung: gym.rung,
        tmuxVersion: spawnSync('tmux', ['-V'], { encoding: 'utf8' }).stdout.trim().slice('tmux '.length),
      });
    }));

  test('have the same observation hash, when the same actions are taken again', async () => {
    const run = () =>
      during(posed, async (env) => {
        for (const text of [
          'tmux list-sessions; date; date +%s',
          'tmux respawn-pane -t w1; sleep 2; tmux capture-pane -p -t w1',
        ])
          await env.step(command(text));
        await env.grade();
        return env.summary();
      });
    const [left, right] = [await run(), await run()];
    expect(left.observationHash).toBe(right.observationHash);
    expect(left.replacedBytes).toBeGreaterThan(50);
    expect(left.observationHash).toMatch(/^[0-9a-f]{64}$/);
    const other = await during(plain, async (env) => {
      await env.step(command('true'));
      await env.grade();
      return env.summary();
    });
    expect(other.observationHash).not.toBe(left.observationHash);
  });
});
