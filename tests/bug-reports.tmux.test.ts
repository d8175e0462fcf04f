import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, events, makeTask, play, worker } from '../env/episode/event-task.test-fixture.ts';
import { type Action, type Check, createGym, type Env, type Gym, type Probe, type Task } from '../env/index.ts';

// Cases that users of other tools met in public, each with what is right here. Other ids stand beside other tests.

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ rung: 'bubblewrap' });
});
afterAll(() => gym?.close());

/** Nothing set up; one report that nobody writes. */
const plain: Task = { ...makeTask(events.death), plan: [], events: [], debugLog: false };
const report: Check = { ...plain.checks[0]!, id: 'report', role: 'state', event: null };
const bare = (more: Partial<Task> = {}): Task => ({ ...plain, checks: [report], ...more });
const asks = (id: string, probe: Probe, value: string): Check => ({ ...report, id, probe, op: 'eq', expect: [value] });
const inEpisode = async <Value>(task: Task, work: (env: Env) => Promise<Value>): Promise<Value> => {
  await using env = gym.createEnv();
  await env.reset({ task });
  return await work(env);
};
const act = async (env: Env, action: string | Action) =>
  (await env.step(typeof action === 'string' ? { type: 'command', command: action } : action)).observation;
const see = async (env: Env, command: string) => (await act(env, command)).text;
const actionsOf = (env: Env) => JSON.stringify(env.trace().filter(({ type }) => type === 'action'));
const bytes = (count: number) => `$(head -c ${count} /dev/zero | tr '\\0' x)`;

describe('A control mode', () => {
  test('BR-01 a character that is split over two writes is whole, when it is read direct and in control mode', () => {
    const split = `printf 'A\\342\\234'; sleep .4; printf '\\223B\\\\\\177\\001'\n`;
    const join = `import re, sys
parts = re.findall(rb"^%output %1 (.*)$", sys.stdin.buffer.read(), re.M)
joined = re.sub(rb"\\\\(\\d{3})", lambda found: bytes([int(found[1], 8)]), b"".join(parts))
print(len(parts) > 1, ascii(joined.decode()))\n`;
    const file = (path: string, content: string) => ({ type: 'file', path, content }) as const;
    return inEpisode(bare({ plan: [file('split.sh', split), file('join.py', join)] }), async (env) => {
      expect(await see(env, 'sh ~/split.sh')).toBe('A✓B\\\x7f\x01');
      const control = `{ echo "new-window -d 'sh ~/split.sh; cat'"; sleep 2; echo; } | tmux -C attach -t main`;
      expect(await see(env, `${control} | python3 ~/join.py`)).toBe(`True 'A\\u2713B\\\\\\x7f\\x01'\n`);
    });
  });
});

describe('B arguments', () => {
  test('BR-04 tmux eats a last semicolon of the agent and none of the task, when arguments end in one', async () => {
    const task = bare({
      debugLog: true,
      plan: [
        { type: 'option', name: '@kept', value: 'kept;' },
        { type: 'tmux', argv: ['set-option', '-g', '@also', 'a;'] },
        worker('w1', {
          screen: ['up;'],
          hears: [{ line: 'ls;', acts: [{ type: 'print', afterMs: 0, lines: ['ok;'] }] }],
        }),
      ],
      checks: [
        report,
        asks('option', { type: 'tmux', argv: ['show-options', '-gv', '@also'] }, 'a;'),
        asks('heard', { type: 'heard', worker: 'w1', line: 'ls;' }, '1'),
      ],
    });
    await inEpisode(task, async (env) => {
      const shell = 'tmux capture-pane -p -t shell | head -1';
      expect(await see(env, 'tmux show-options -gv @kept; tmux show-options -gv @also')).toBe('kept;\na;\n');
      expect(await act(env, { type: 'keys', target: 'main:shell', keys: ['a;'] })).toMatchObject({ exitCode: 0 });
      expect(await see(env, `sleep 1; ${shell}`)).toBe('$ a\n');
      const refused = { text: 'unknown command: Enter\n', exitCode: 1 };
      expect(await act(env, "tmux send-keys -t shell 'ls;' Enter")).toMatchObject(refused);
      expect(await act(env, "tmux send-keys -t shell -l ';'")).toMatchObject({ text: '', exitCode: 0 });
      expect(await act(env, "tmux new-window -d 'echo hi > ~/hi;'")).toMatchObject({ text: '', exitCode: 0 });
      expect(await see(env, `sleep 1; cat hi; ${shell}`)).toBe('hi\n$ a\n');
      expect(await see(env, "tmux send-keys -t w1 'ls\\;' Enter; sleep 1; tmux capture-pane -p -t w1")).toMatch(
        /^up;\n[\s\S]*ok;\n/,
      );
      const grade = await env.grade();
      expect(grade.checks.slice(1).map(({ ok, value }) => [ok, value?.trim()])).toEqual([
        [true, 'a;'],
        [true, '1'],
      ]);
      for (const kept of ['"a;"', "'ls;' Enter", "-l ';'", "~/hi;'"]) expect(actionsOf(env)).toContain(kept);
    });
  });

  test('BR-06 the agent sees that a command is too long, and nothing of the task is cut, when it is 20 KB', () => {
    const long = '✓'.repeat(6_667);
    const plan = [
      { type: 'option', name: '@long', value: long },
      { type: 'file', path: 'long.txt', content: long },
    ] as const;
    return inEpisode(bare({ plan }), async (env) => {
      expect(await see(env, 'tmux show-options -gv @long | tr -d "\\n" | wc -c; wc -c < long.txt')).toBe(
        '20001\n20001\n',
      );
      expect(await see(env, `tmux set-buffer "${bytes(16_300)}"; tmux show-buffer | wc -c`)).toBe('16300\n');
      expect(await act(env, `tmux set-buffer "${bytes(17_000)}"`)).toMatchObject({
        text: 'command too long\n',
        exitCode: 1,
      });
      expect(await act(env, `tmux new-session -d -s big -e "BIG=${bytes(20_000)}"`)).toMatchObject({
        text: 'command too long\n',
        exitCode: 1,
      });
      const keys = Array.from({ length: 5 }, () => 'k'.repeat(4_096));
      expect(await act(env, { type: 'keys', target: 'main:shell', keys })).toMatchObject({
        text: 'command too long\n',
        exitCode: 1,
      });
      const after = 'tmux list-buffers | wc -l; tmux list-sessions -F "#S"; tmux capture-pane -p -t shell | head -1';
      expect(await see(env, after)).toBe('1\nmain\n$\n');
      expect(actionsOf(env)).toContain(JSON.stringify(keys));
    });
  });
});

describe('C isolation', () => {
  test('BR-11 every call is in the record, and no other text or server is, when it does not go by PATH', async () => {
    const probe = { type: 'commands', command: 'list-windows' } as const;
    const task = bare({ debugLog: true, plan: [worker('w1')], checks: [report, asks('calls', probe, '5')] });
    await inEpisode(task, async (env) => {
      const calls = [
        `bash -lc 'tmux list-windows'`,
        '/usr/bin/tmux list-windows',
        'env -i tmux list-windows',
        'command -p tmux list-windows',
        `python3 -c 'import subprocess; subprocess.run(["/usr/bin/tmux", "list-windows"])'`,
      ];
      const lists = calls.map((call) => `${call} | wc -l`).join('; ');
      expect(await see(env, lists)).toBe('2\n'.repeat(calls.length));
      const others = 'tmux -L other -f /dev/null new-session -d; tmux -L other list-windows; tmux -L other kill-server';
      expect((await act(env, `${others}; echo tmux list-windows`)).exitCode).toBe(0);
      const grade = await env.grade();
      expect(grade.checks[1]).toMatchObject({ ok: true, value: '5' });
    });
  });
});

describe('D lifecycle', () => {
  test('BR-13 every world has its own living server, when the one before was killed in any way', async () => {
    await using own = await createGym({ rung: 'bubblewrap', poolSize: 1 });
    await using env = own.createEnv();
    const ends = ['tmux kill-server', 'tmux kill-session -t main', 'tmux kill-server; tmux new-session -d -s again'];
    for (let round = 0; round < 60; round++) {
      await env.reset({ task: bare() });
      expect(await see(env, 'tmux list-sessions -F "#S #{session_windows}"'), `round ${round}`).toBe('main 1\n');
      await act(env, ends[round % ends.length]!);
    }
  });

  test('BR-15 a command that the set-up types is shown once and runs once in each window, when the world is new', async () => {
    const type = (window: string) =>
      ({ type: 'tmux', argv: ['send-keys', '-t', `=main:=${window}`, `echo ${window} >> ran`, 'Enter'] }) as const;
    const plan = [{ type: 'window', name: 'late' }, type('shell'), type('late')] as const;
    for (let round = 0; round < 5; round++) {
      await inEpisode(bare({ plan }), async (env) => {
        for (const window of ['late', 'shell']) {
          const screen = (await see(env, `tmux capture-pane -p -t =main:=${window}`)).trimEnd().split('\n');
          expect(screen, `round ${round}`).toEqual([
            expect.stringMatching(`^\\S* ?echo ${window} >> ran$`),
            expect.any(String),
          ]);
        }
        expect(await see(env, 'sort ran'), `round ${round}`).toBe('late\nshell\n');
      });
    }
  });
});

describe('E events', () => {
  const blocks = { exitCode: null, text: expect.stringContaining('still running after 5 ticks') };
  const wait = bare({ limits: { ...plain.limits, ticksPerAction: 5 } });

  test('BR-16 wait-for latches as tmux does, when it is signalled early, twice or after a dead waiter', () =>
    inEpisode(wait, async (env) => {
      const signal = 'tmux wait-for -S';
      expect(await see(env, `${signal} a; tmux wait-for a; echo through`)).toBe('through\n');
      expect(await act(env, `${signal} b; ${signal} b; tmux wait-for b; echo through`)).toMatchObject(blocks);
      expect(await act(env, `timeout 1 tmux wait-for c; ${signal} c; tmux wait-for c; echo through`)).toMatchObject(
        blocks,
      );
    }));

  test('BR-16 a channel does not cross episodes, when both use its name', () =>
    inEpisode(wait, (left) =>
      inEpisode(wait, async (right) => {
        await act(left, 'tmux wait-for -S same');
        expect(await act(right, 'tmux wait-for same')).toMatchObject(blocks);
        expect(await act(left, 'tmux wait-for same')).toMatchObject({ exitCode: 0 });
      }),
    ));

  test('BR-16 a job is done once and at its own time, when the agent signalled its channel before', async () => {
    const early = 'tmux wait-for -S done; tmux wait-for done; echo early';
    const { texts, event, trace } = await play(gym, makeTask(events.completion), [early, 'sleep 5', done]);
    expect(texts[0]).toBe('early\n');
    expect(event).toMatchObject({ fired_tick: 3, perceived_tick: null, outcome: 'never-perceived' });
    expect(trace.filter(({ type }) => type === 'event')).toHaveLength(1);
  });

  const places = {
    'the current window': [worker('w1'), { type: 'tmux', argv: ['select-window', '-t', '=main:=w1'] }],
    'a background window': [worker('w1')],
    'a second session': [{ type: 'tmux', argv: ['new-session', '-d', '-s', 'two'] }, worker('w1', { session: 'two' })],
  } as const;
  const watches = {
    bell: 'set -g bell-action any',
    activity: 'set -g activity-action any; tmux set -w -t %1 monitor-activity on',
    silence: 'set -g silence-action any; tmux set -w -t %1 monitor-silence 2',
  };
  test.each(
    (['bell', 'activity', 'silence'] as const).flatMap((kind) => Object.keys(places).map((place) => [kind, place])),
  )('BR-20 %s comes once and in time, when it is in %s of a detached session', async (kind, place) => {
    const name = kind as keyof typeof watches;
    const plan = [...places[place as keyof typeof places]];
    const pane = `tmux list-panes -a -F '#{window_name} #{pane_id}' | sed -n 's/^w1 //p'`;
    const hook = `tmux set-hook -g alert-${name} 'run-shell "echo alert >> ~/alerts"'`;
    const arm = `tmux ${watches[name].replaceAll('%1', '$P')}; ${hook}; sleep 5.5; cat ~/alerts`;
    const { texts, event, trace } = await play(gym, makeTask(events[name], { plan }), [`P=$(${pane}); ${arm}`, done]);
    expect(texts[0]).toBe('alert\n');
    expect(event.fired_tick).toBe(3);
    expect(trace.filter(({ type }) => type === 'event')).toHaveLength(1);
  });
});

describe('F observations', () => {
  test('BR-25 output is cut with a mark and the next action is as fast as ever, when there is far too much', () =>
    inEpisode(bare(), async (env) => {
      const { observationBytes } = plain.limits;
      const floods = [
        'seq 1 2000000',
        `tmux set -g history-limit 100000; tmux new-window -d -n long 'seq 1 100000; exec cat'; sleep 3; tmux capture-pane -p -S - -t long`,
        `tmux new-session -d -s wide -x 1000 -y 1000 'yes $(seq -s : 100 330) | head -n 990; exec cat'; sleep 3; tmux capture-pane -p -t wide`,
      ];
      const least = [14_888_896 - observationBytes, 500_000, 500_000];
      for (const [index, flood] of floods.entries()) {
        const { text, cutBytes } = await act(env, flood);
        expect(cutBytes).toBeGreaterThanOrEqual(least[index]!);
        expect(text.slice(observationBytes)).toBe(`\n[${cutBytes} more bytes of output were cut]\n`);
        const started = performance.now();
        expect(await see(env, 'echo next')).toBe('next\n');
        expect(performance.now() - started).toBeLessThan(2_000);
      }
    }));
});

describe('G reward', () => {
  test('BR-28 no action is a true 0 and a check that throws is none, when both leave nothing to read', async () => {
    const idle = await inEpisode(bare(), (env) => env.grade());
    expect(idle).toMatchObject({ outcome: 'scored', reward: 0, boundary: null });
    const throws: Check = { ...report, op: 'regex', expect: ['[g-{{slot:0}}]'] };
    const broken = await inEpisode(bare({ checks: [throws] }), async (env) => {
      await act(env, 'echo x > $REPORT');
      return await env.grade();
    });
    expect(broken).toMatchObject({ outcome: 'masked', reward: null, boundary: 'grader' });
    const rewards = [idle.reward, broken.reward].filter((reward) => reward !== null);
    expect(rewards).toEqual([0]);
  });
});
