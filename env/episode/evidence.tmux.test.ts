import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Gym } from '../index.ts';
import { done, events, makeTask, play, save, worker } from './event-task.test-fixture.ts';

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ rung: 'bubblewrap', poolSize: 2 });
});
afterAll(() => gym?.close());

const death = makeTask(events.death);
const clean = { outcome: 'scored', flags: [] };

describe('a look counts', () => {
  test.each([
    ['the output of list-panes says (dead)', 'tmux list-panes -t w1', 'list-panes'],
    ['list-panes of every pane does', 'tmux list-panes -a', 'list-panes'],
    ['display-message asks for it', 'tmux display-message -p -t w1 "#{pane_dead}"', 'display-message'],
    ['it is asked in a condition', 'tmux display -p -t w1 "#{?pane_dead,gone,here}"', 'display-message'],
    ['the pane is captured', 'tmux capture-pane -p -t w1', 'capture-pane'],
    ['it is read in control mode', 'printf "list-panes -t w1\\n\\n" | tmux -C attach -t main', 'list-panes'],
    ['it is read by an absolute path and an empty environment', 'env -i /usr/bin/tmux list-panes -a', 'list-panes'],
    ['a loop that ran when it happened looks on', 'for i in 1 2 3; do tmux list-panes -t w1; done', 'list-panes'],
  ])('when %s', async (_, command, by) => {
    const { grade, event } = await play(gym, death, ['sleep 4', command, save('fatal'), done]);
    expect(grade).toMatchObject({ ...clean, passed: true });
    expect(event).toMatchObject({
      fired_tick: 3,
      perceived_by: by,
      perceived_tick: 4,
      armed: false,
      outcome: 'handled',
    });
  });
});

describe('a look does not count', () => {
  test.each([
    ['it came before the event', ['tmux list-panes -t w1; tmux capture-pane -p -t w1', 'sleep 6']],
    ['it was at another pane', ['sleep 4', 'tmux list-panes -t w2; tmux capture-pane -p -t w2']],
    ['the command only holds its words', ['sleep 4', 'tmux display-message -p "capture-pane -t w1 (dead) pane_dead"']],
    ['it failed', ['sleep 4', 'tmux capture-pane -p -t nowhere; tmux capture-pane -b']],
    [
      'a line of the record is forged',
      [
        'sleep 4',
        `tmux $'x\\n1795999927.648888 %1 exited\\n1795999927.648888 running hook after-capture-pane (parent 0x1)'`,
      ],
    ],
    ['a format only looks like the one', ['sleep 4', `tmux display -p -t w1 "#{pane_dead' found: 1}"`]],
    ['the format is printed, not expanded', ['sleep 4', `tmux display -p -t w1 -l '#{pane_dead}'; echo '(dead)'`]],
  ])('when %s', async (_, actions) => {
    const { grade, event } = await play(gym, death, [...actions, done]);
    expect(grade).toMatchObject({ ...clean, passed: false });
    expect(event).toMatchObject({ fired_tick: 3, perceived_tick: null, outcome: 'never-perceived' });
  });
});

describe('what the gym asks in grading', () => {
  const state = { role: 'state', event: null, required: false, weight: 1 } as const;
  const asked = makeTask(events.death, {
    checks: [
      ...death.checks,
      {
        ...{ ...state, id: 'ended', op: 'eq', expect: ['1'] },
        probe: { type: 'tmux', argv: ['display-message', '-p', '-t', '=main:=w1', '#{pane_dead}'] },
      },
      { ...state, id: 'looks', probe: { type: 'commands', command: 'display-message' }, op: 'eq', expect: ['0'] },
    ],
  });

  test('is no look, no command and no answer of the agent', async () => {
    const { grade, event, summary } = await play(gym, asked, ['sleep 4', done]);
    expect(grade.checks.map(({ id, ok }) => [id, ok])).toEqual([
      ['react', false],
      ['perceive', false],
      ['ended', true],
      ['looks', true],
    ]);
    expect(event).toMatchObject({ fired_tick: 3, perceived_tick: null, polls: 0, outcome: 'never-perceived' });
    expect(summary.agentCommands).toBe(0);
  });

  test('is asked again, when a pane prints meanwhile', async () => {
    // Prints once, when it first sees who asks, and counts those who come; five come for one round.
    const printer = `cat > printer.py <<'EOF'
import os
seen = set()
while True:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words: asks = b"-N\\0-S\\0" in words.read()
        except OSError: continue
        if not asks or pid in seen: continue
        if not seen: print("moved", flush=True)
        seen.add(pid)
        with open("seen", "w") as file: file.write(str(len(seen)))
EOF
tmux new-window -d 'exec python3 printer.py'`;
    const ended = asked.checks.find(({ id }) => id === 'ended')!;
    const five = [1, 2, 3, 4, 5].map((each) => ({ ...ended, id: `ended-${each}` }));
    const counted = { ...state, id: 'seen', probe: { type: 'file', path: 'seen' }, op: 'gt', expect: ['5'] } as const;
    const task = makeTask(events.death, { checks: [...death.checks, ...five, counted] });
    const { grade } = await play(gym, task, ['sleep 4', printer, done]);
    expect(grade.checks.slice(2).map(({ id, ok }) => [id, ok])).toEqual(
      [...five.map(({ id }) => id), 'seen'].map((id) => [id, true]),
    );
  });

  test('is not answered, when a pane prints all the time', async () => {
    const prints = `tmux new-window -d 'exec perl -e "\\$|=1; for (;;) { print 1; select undef, undef, undef, .001 }"'`;
    const { grade } = await play(gym, asked, ['sleep 4', prints, done]);
    expect(grade).toMatchObject({ ...clean, boundary: null });
    expect(grade.checks.find(({ id }) => id === 'ended')).toMatchObject({ ok: false, value: null });
  });
});

describe('the verdict of an event', () => {
  test('is perceived-not-reacted, when nothing is done after the look', async () => {
    const { event, grade } = await play(gym, death, ['sleep 4', 'tmux list-panes -t w1', done]);
    expect(event).toMatchObject({ perceived_tick: 4, reacted_tick: null, outcome: 'perceived-not-reacted' });
    expect(grade.reward).toBe(0.25 / 1.25);
  });

  test('gives nothing for the look, when shaping is off', async () => {
    const { grade } = await play(gym, death, ['sleep 4', 'tmux list-panes -t w1', done], { shaping: false });
    expect(grade).toMatchObject({ ...clean, reward: 0 });
  });

  test('is late, when the reaction comes after the deadline', async () => {
    const task = makeTask({ ...events.death, deadlineMs: 2_000 });
    const { event } = await play(gym, task, ['sleep 9', save('fatal'), done]);
    expect(event).toMatchObject({ deadline_tick: 5, reacted_tick: 10, outcome: 'late' });
  });

  test('is reacted-blind, when a reaction that needs no secret comes without a look', async () => {
    const [react, perceive] = death.checks;
    const started = { ...react!, probe: { type: 'started', worker: 'w1' }, op: 'ge', expect: ['1'] } as const;
    const task = { ...death, checks: [started, perceive!] };
    const { event } = await play(gym, task, ['sleep 4', 'tmux respawn-pane -t w1; sleep 1', done]);
    expect(event).toMatchObject({ fired_tick: 3, perceived_tick: null, outcome: 'reacted-blind' });
  });

  test('is left-before, when the agent says done before it happens, and not-fired, when it is cut', async () => {
    const left = await play(gym, death, ['true', done]);
    expect(left.event).toMatchObject({ fired_tick: null, outcome: 'left-before' });
    const cut = await play(gym, makeTask(events.death, { limits: { ...death.limits, steps: 1 } }), ['true']);
    expect(cut.event).toMatchObject({ fired_tick: null, outcome: 'not-fired' });
  });

  test('is void, when the agent ended the worker before', async () => {
    const { event, grade } = await play(gym, death, ['tmux kill-window -t w1', 'sleep 5', done]);
    expect(grade).toMatchObject(clean);
    expect(event).toMatchObject({ fired_tick: null, outcome: 'void' });
  });

  test('does not depend on where the pane was moved', async () => {
    const moves = 'tmux swap-pane -s w1 -t w2; tmux rename-window -t w2 other; tmux move-window -s other -t 9';
    const { event, grade } = await play(gym, death, [
      moves,
      'tmux wait-for -S x; sleep 4; tmux list-panes -a',
      `tmux capture-pane -p -t %1 | sed -n 's/^fatal //p' > $REPORT`,
      done,
    ]);
    expect(grade).toMatchObject({ ...clean, passed: true });
    expect(event).toMatchObject({ fired_tick: 3, outcome: 'handled' });
  });

  test('comes from the record, not from the schedule, when the gym is late', async () => {
    // C-s on the pane holds the text back until C-q: the record shows when it came.
    const task = makeTask(events.activity);
    const { event } = await play(gym, task, [
      'stty -F $(tmux display -p -t w1 "#{pane_tty}") ixon; tmux send-keys -t w1 C-s',
      'sleep 5',
      'tmux send-keys -t w1 C-q',
      'sleep 2',
      done,
    ]);
    expect(event.fired_tick).toBeGreaterThan(5);
  });
});

test('a reaction that only tmux can tell of counts, when the frozen world shows it', async () => {
  const [react] = death.checks;
  const probe = { type: 'tmux', argv: ['show-options', '-gqv', '@seen'] } as const;
  const task = { ...death, checks: [{ ...react!, probe, op: 'eq', expect: ['{{slot:0}}'] } as const] };
  const { grade, event } = await play(gym, task, [
    'sleep 4; tmux set-option -g @seen "$(tmux capture-pane -p -t w1 | sed -n \'s/^fatal //p\')"',
    done,
  ]);
  expect(grade).toMatchObject({ ...clean, passed: true });
  expect(event).toMatchObject({ perceived_by: 'capture-pane', outcome: 'handled' });
});

test.each([
  ['bell', true],
  ['silence', false],
] as const)('a pipe that was open shows a %s', async (kind, armed) => {
  const { event } = await play(gym, makeTask(events[kind]), [
    'tmux pipe-pane -t w1 "cat >> ~/w1.log"',
    'sleep 6',
    'tmux send-keys -t w1 ack Enter',
    done,
  ]);
  expect(event).toMatchObject({ perceived_by: 'pipe-pane', armed, outcome: 'perceived-not-reacted' });
});

test('a pipe that was opened after the event shows nothing of it, although more is printed', async () => {
  const { event } = await play(gym, makeTask(events.bell), [
    'sleep 6',
    'tmux pipe-pane -t w1 "cat >> ~/w1.log"; tmux send-keys -t w1 ack Enter',
    done,
  ]);
  expect(event).toMatchObject({ perceived_tick: null, outcome: 'never-perceived' });
});

test('a pipe that was closed before the event shows nothing of it', async () => {
  const task = makeTask(events.activity);
  const open = 'tmux pipe-pane -t w1 "cat >> ~/w1.log"';
  const left = await play(gym, task, [open, 'sleep 5', done]);
  expect(left.event).toMatchObject({ perceived_by: 'pipe-pane', armed: true });
  const toggled = await play(gym, task, [open.replace('-t', '-o -t'), 'sleep 5', done]);
  expect(toggled.event).toMatchObject({ perceived_by: 'pipe-pane' });
  const inward = 'tmux pipe-pane -I -t w1 "sleep 9"';
  for (const shut of [`${open}; tmux pipe-pane -t w1`, `${open}; tmux pipe-pane -o -t w1 "cat >> ~/w1.log"`, inward]) {
    const { event } = await play(gym, task, [shut, 'sleep 5', done]);
    expect(event, shut).toMatchObject({ perceived_tick: null, outcome: 'never-perceived' });
  }
});

describe('tampering is flagged at once', () => {
  test.each([
    ['alias', `tmux set -s command-alias[9] 'foo=list-panes'`],
    ['alias', `tmux set -s command-al[9] 'foo=list-panes'`],
    ['alias', `echo "set -s command-alias[9] 'foo=list-panes'" | tmux source-file -`],
    ['alias', `printf "set -s command-alias[9] 'foo=list-panes'\\n\\n" | tmux -C attach -t main`],
    ['hook', `tmux set-hook -g after-list-windows 'display-message -p fake'`],
    ['hook', `tmux set-option -g after-show-options 'display-message -p fake'`],
    ['hook', `tmux set-hook -g client-attached 'run-shell true'`],
    ['hook', `tmux run-shell -C "set-hook -g after-set-option 'display-message x'"`],
    ['log-closed', `kill -USR2 $(pgrep -x "tmux: server"); sleep 0.1; kill -USR2 $(pgrep -x "tmux: server"); tmux ls`],
    ['server-replaced', 'tmux kill-server; sleep 1; tmux new-session -d -s main'],
  ])('%s: %s', async (flag, command) => {
    const { grade, event, trace } = await play(gym, death, [command, 'sleep 5', save('fatal'), done]);
    expect(grade).toMatchObject({ outcome: 'flagged', flags: [flag], reward: 0, passed: false });
    expect(event.outcome).not.toBe('handled');
    expect(trace.some(({ type }) => type === 'event')).toBe(false);
  });

  test.each([
    `tmux set-hook -g pane-died 'run-shell true'; tmux set-hook -g pane-exited 'run-shell true'`,
    `tmux set-hook -g alert-bell 'run-shell true'; tmux set-hook -g alert-activity 'run-shell true'`,
    `tmux set -g monitor-activity on; tmux set -g monitor-silence 0; tmux pipe-pane -t w1 'cat > ~/w1.log'`,
    `tmux set-hook -g session-created 'run-shell true'; tmux set-hook -g after-new-window 'run-shell true'`,
    `tmux set-hook -g window-linked 'run-shell true'; tmux set -g @mine command-alias`,
    'tmux -L mine new-session -d; tmux -L mine ls; tmux bind-key -n F5 list-panes; tmux set-environment -g A 1',
  ])('but not arming and ordinary use: %s', async (command) => {
    const { grade } = await play(gym, death, [command, 'sleep 4', save('fatal'), done]);
    expect(grade).toMatchObject({ ...clean, passed: true });
  });

  test('a task may welcome a hook', async () => {
    const task = { ...death, hooks: ['after-list-windows'] };
    const { grade } = await play(gym, task, [`tmux set-hook -g after-list-windows 'run-shell true'`, done]);
    expect(grade).toMatchObject(clean);
  });

  test('a server that was stopped scores nothing and does not hang, when tmux is to be asked', async () => {
    const asks = { ...death.checks[0]!, probe: { type: 'tmux', argv: ['list-windows'] } } as const;
    const { grade } = await play(gym, { ...death, checks: [asks] }, ['kill -STOP $(pgrep -x "tmux: server")', done]);
    expect(grade).toMatchObject({ outcome: 'flagged', flags: ['server-stopped'], reward: 0 });
  });
});

describe('probes of the frozen world', () => {
  const probe = (argv: readonly string[], op: 'eq' | 'contains', expected: string) =>
    ({
      ...death.checks[0]!,
      role: 'state',
      event: null,
      probe: { type: 'tmux', argv },
      op,
      expect: [expected],
    }) as const;

  test('read tmux after everything of the agent was stopped', async () => {
    const task = {
      ...death,
      checks: [death.checks[0]!, probe(['display-message', '-p', '-t', '=main:=w2', '#{window_panes}'], 'eq', '3')],
    };
    const { grade } = await play(gym, task, ['tmux split-window -d -t w2; tmux split-window -d -t w2', done]);
    expect(grade.checks[1]).toMatchObject({ ok: true, value: '3\n' });
    // BR-04: tmux would take the semicolon for the end of a command.
    const asked = { ...death, checks: [death.checks[0]!, probe(['display-message', '-p', 'asked;'], 'eq', 'asked;')] };
    const said = await play(gym, asked, [done]);
    expect(said.grade.checks[1]).toMatchObject({ ok: true, value: 'asked;\n' });
    const count = probe(['show-options', '-gv', '@n'], 'contains', '0');
    const twice = { ...death, checks: [death.checks[0]!, count, { ...count, id: 'later' }] };
    const counter =
      'tmux set-option -g @n 0; (n=0; while :; do tmux set-option -g @n $((n++)); done) >/dev/null 2>&1 &';
    const counting = await play(gym, twice, [counter, done]);
    expect(counting.grade.outcome).toBe('scored');
    expect(counting.grade.checks[1]?.value).toMatch(/^\d+\n$/);
    expect(counting.grade.checks[2]?.value).toBe(counting.grade.checks[1]?.value);
  });

  test('are refused, when the server was killed, and the rest is graded', async () => {
    const task = { ...death, checks: [...death.checks, probe(['list-sessions'], 'contains', 'main')] };
    const { grade } = await play(gym, task, ['tmux kill-server', done]);
    expect(grade).toMatchObject({ outcome: 'scored', reward: 0 });
    expect(grade.checks.at(-1)).toMatchObject({ ok: false, value: null, note: 'no-server' });
  });

  test('count the commands of the agent and what was typed, by the record', async () => {
    const base = { ...death.checks[0]!, role: 'state', event: null, op: 'eq' } as const;
    const task = {
      ...death,
      checks: [
        death.checks[0]!,
        { ...base, id: 'c', probe: { type: 'commands', command: 'swap-pane' }, expect: ['2'] } as const,
        { ...base, id: 'h', probe: { type: 'heard', worker: 'w2', line: 'hello you' }, expect: ['1'] } as const,
        { ...base, id: 's', probe: { type: 'started', worker: 'w1' }, expect: ['1'] } as const,
      ],
    };
    const { grade, summary } = await play(gym, task, [
      'tmux swapp -d -s w1 -t w2; tmux swap-pane -d -s w1 -t w2; echo "tmux swap-pane"',
      'tmux send-keys -t w2 "hello you" Enter',
      'tmux respawn-pane -k -t w1; sleep 1',
      done,
    ]);
    expect(grade.checks.slice(1)).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
    expect(summary.agentCommands).toBe(4);
  });

  test('count the commands of a key that is typed at an attached client', async () => {
    const base = { ...death.checks[0]!, role: 'state', event: null, op: 'eq', expect: ['1'] } as const;
    const task = {
      ...death,
      checks: [death.checks[0]!, { ...base, id: 'c', probe: { type: 'commands', command: 'kill-window' } } as const],
    };
    const typing = `python3 - <<'EOF'
import os, pty, subprocess, time
pid, terminal = pty.fork()
if pid == 0: os.execvpe("tmux", ["tmux", "attach-session", "-t", "main"], {**os.environ, "TERM": "screen"})
while not subprocess.run(["tmux", "list-clients"], capture_output=True).stdout: time.sleep(.05)
os.write(terminal, b"x")
while b"w2" in subprocess.run(["tmux", "list-windows"], capture_output=True).stdout: time.sleep(.05)
EOF`;
    const { grade } = await play(gym, task, ['tmux bind-key -n x kill-window -t w2', typing, done]);
    expect(grade.checks[1]).toMatchObject({ id: 'c', value: '1', ok: true });
  });
});

describe('delivery', () => {
  test('notice says it in the next observation, and push tells who listens at once', async () => {
    const noticed = await play(gym, death, ['sleep 4', save('fatal'), done], { delivery: 'notice' });
    expect(noticed.texts[0]).toBe('[the program of pane %1 (w1) has ended]\n');
    expect(noticed.event).toMatchObject({ perceived_by: 'notice', perceived_tick: 4, outcome: 'handled' });
    const heard: unknown[] = [];
    const pushed = await play(gym, death, ['sleep 4', done], {
      delivery: 'push',
      onEvent: (event) => heard.push(event),
    });
    expect(heard).toEqual([{ event: 'e1', kind: 'death', worker: 'w1', pane: '%1', tick: 3 }]);
    expect(pushed.texts[0]).toBe('');
    expect(pushed.event.outcome).toBe('never-perceived');
  });
});

describe('alerts', () => {
  const bells = (more: readonly Parameters<typeof worker>[]) => ({
    ...makeTask(events.bell),
    plan: more.map(([name, options]) => worker(name, options)),
  });

  test('ring once for a bell in the current window, in a detached session and in a second session', async () => {
    const current = {
      ...bells([['w1']]),
      plan: [worker('w1'), { type: 'tmux', argv: ['select-window', '-t', 'main:w1'] }],
    } as const;
    const second = {
      ...bells([['w1']]),
      plan: [{ type: 'tmux', argv: ['new-session', '-d', '-s', 'two'] }, worker('w1', { session: 'two' })],
    } as const;
    for (const task of [current, second, bells([['w1']])]) {
      const { texts, event } = await play(gym, task, [
        `tmux set-hook -g alert-bell 'run-shell "echo rang >> ~/rings; tmux wait-for -S rang"'; timeout 9 tmux wait-for rang`,
        'cat ~/rings',
        done,
      ]);
      expect(texts[1]).toBe('rang\n');
      expect(event).toMatchObject({ fired_tick: 3, perceived_by: 'hook', armed: true });
    }
  });

  test('tell of each of four panes that die in the same tick, once each and in order (BR-18)', async () => {
    const names = ['w1', 'w2', 'w3', 'w4'];
    const all = names.map((name, index) => ({ ...events.death, id: `e${index}`, worker: name }));
    const [react] = death.checks;
    const task = {
      ...death,
      plan: names.map((name) => worker(name)),
      events: all,
      checks: all.map(({ id }) => ({ ...react!, id, event: id })),
    };
    const runs = await Promise.all(
      [1, 2].map(() =>
        play(gym, task, [
          `tmux set-hook -g pane-died 'run-shell "echo #{hook_pane} >> ~/died"'; sleep 5; cat ~/died; tmux ls`,
          done,
        ]),
      ),
    );
    const expected = '%1\n%2\n%3\n%4\n';
    for (const { texts, grade } of runs) {
      expect(texts[0]?.slice(0, expected.length)).toBe(expected);
      expect(texts[0]).toMatch(/main: 5 windows/);
      expect(grade.events.map((event) => event.fired_tick)).toEqual([3, 3, 3, 3]);
    }
  });
});

describe('the wall clock', () => {
  test('is labelled, and its ticks are seconds', async () => {
    const task = makeTask({ ...events.death, atMs: 300 });
    const { event, summary, grade } = await play(
      gym,
      task,
      ['until tmux list-panes -t w1 | grep -q dead; do sleep 0.1; done', save('fatal'), done],
      { clock: 'wall' },
    );
    expect(grade).toMatchObject({ ...clean, passed: true });
    expect(event.outcome).toBe('handled');
    expect(summary).toMatchObject({ clock: 'wall', reproducible: false });
  });
});
