import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Gym, type Task, taskSchema } from '../index.ts';

const golden = taskSchema.parse(JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')));
/** One dead worker in pane %1, whose token a restart prints. */
const task: Task = {
  ...golden,
  slots: 1,
  plan: [{ type: 'worker', name: 'w1', screen: ['stopped'], dead: { status: 3 }, restart: ['token {{slot:0}}'] }],
  checks: [{ ...golden.checks[0]!, expect: ['{{slot:0}}'] }],
};

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ rung: 'bubblewrap', poolSize: 1 });
});
afterAll(() => gym?.close());

const panes = 'for p in $(tmux list-panes -a -F "#{pane_id}"); do tmux capture-pane -J -p -t $p; done';
/** Reports every token that stands on any screen or in any file below HOME. */
const report = `sleep 1; (${panes}; find ~ -type f ! -name report.txt -exec cat {} +) | grep -ao "token [0-9a-f]*" | sort -u | cut -d" " -f2 > $REPORT`;

/** Plays the commands in a fresh episode, then reports what is on the screens. */
const play = async (...commands: readonly string[]) => {
  const env = gym.createEnv();
  try {
    await env.reset({ task });
    const texts: string[] = [];
    const slowest = { ms: 0 };
    for (const command of [...commands, report]) {
      const started = performance.now();
      const { observation } = await env.step({ type: 'command', command });
      slowest.ms = Math.max(slowest.ms, performance.now() - started);
      texts.push(observation.text);
    }
    const started = performance.now();
    const { outcome, reward, passed, flags } = await env.grade();
    const plays = env.trace().filter(({ type }) => type === 'play').length;
    return {
      outcome,
      reward,
      passed,
      flags,
      plays,
      texts,
      slowestMs: slowest.ms,
      gradeMs: performance.now() - started,
    };
  } finally {
    await env.close();
  }
};
const right = { outcome: 'scored', reward: 1, passed: true, flags: [] };
const nothing = { outcome: 'scored', reward: 0, passed: false, flags: [], plays: 0 };

describe('a restarted worker prints its token', () => {
  test.each([
    ['in place', []],
    ['after swap-pane', ['tmux swap-pane -s w1 -t shell']],
    ['after join-pane', ['tmux join-pane -d -s w1 -t shell']],
    ['after join-pane and break-pane', ['tmux join-pane -d -s w1 -t shell; tmux break-pane -d -s %1']],
    ['after move-window', ['tmux move-window -s w1 -t 9']],
    ['after rename-window', ['tmux rename-window -t w1 other; tmux rename-session -t main else']],
    ['after resize-window', ['tmux resize-window -t w1 -x 80 -y 20']],
    ['in copy mode', ['tmux copy-mode -t %1']],
    ['after clear-history', ['tmux clear-history -t %1']],
    ['after link-window to another session', ['tmux new-session -d -s two; tmux link-window -s main:w1 -t two:']],
  ])('%s', async (_, before) => {
    expect(await play(...before, 'tmux respawn-pane -t %1')).toMatchObject({ ...right, plays: 1 });
  });

  test.each([
    'tmux respawn-pane -k -t %1',
    'tmux respawn-window -t %1',
    'tmux respawn-window -k -t %1',
    'tmux respawn-pane -t %1 /opt/worker w1',
    'tmux set-hook -g alert-activity "respawn-pane -t %1"; tmux set-hook -R -g alert-activity',
    'tmux run-shell -C "respawn-pane -t %1"',
    'echo "respawn-pane -t %1" | tmux source-file -',
    'tmux respawn-pane -t %1; tmux pipe-pane -t %1 "cat > ~/piped"; sleep 1; cat ~/piped',
  ])('when restarted by: %s', async (command) => {
    expect(await play(command)).toMatchObject({ ...right, plays: 1 });
  });

  test('again, when it is restarted again', async () => {
    const twice = 'tmux respawn-pane -t %1; sleep 1; tmux clear-history -t %1; tmux respawn-pane -k -t %1';
    expect(await play(twice)).toMatchObject({ ...right, plays: 2 });
  });

  test('half a virtual second after it is seen, and not before', async () => {
    const look = 'tmux capture-pane -p -t %1 | grep -c token';
    const { texts } = await play(`tmux respawn-pane -t %1; ${look}; sleep .4; ${look}; sleep .2; ${look}`);
    expect(texts[0]).toBe('0\n0\n1\n');
  });

  test('not at all, when it is killed before it can', async () => {
    expect(await play('tmux respawn-pane -t %1; tmux kill-pane -t %1')).toMatchObject(nothing);
  });
});

describe('rule T: no token', () => {
  const fakeTerminal = `cat > ~/fake.py <<'EOF'
import fcntl, os, pty, termios
mine, theirs = pty.openpty()
if os.fork() == 0:
    os.close(theirs)
    with open(os.environ['HOME'] + '/stolen', 'wb', 0) as stolen:
        while True:
            try: stolen.write(os.read(mine, 1000))
            except OSError: os._exit(0)
try: os.setsid()
except OSError: pass
fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
for each in range(3): os.dup2(theirs, each)
os.environ['TMUX_PANE'] = '%1'
os.execv('/opt/worker', ['/opt/worker', 'w1'])
EOF
tmux run-shell -b 'exec python3 ~/fake.py'; sleep 1; pgrep -P $(tmux display-message -p '#{pid}') -fc '^/opt/worker w1'`;

  test.each([
    ['on a new window with the same start command and name', ['tmux new-window -d -n w1 /opt/worker w1']],
    ['on a split with the same start command', ['tmux split-window -d -t w1 /opt/worker w1']],
    [
      'for the start command, run by hand',
      ['/opt/worker w1 & sleep 1; kill %1', 'tmux send-keys -t shell "/opt/worker w1" Enter'],
    ],
    [
      'for another program in the pane',
      ['tmux respawn-pane -t %1 bash', 'tmux send-keys -t %1 "/opt/worker w1" Enter'],
    ],
    ['for a shell that becomes the start command', ['tmux respawn-pane -t %1 "exec /opt/worker w1"']],
    ['for the start command with another name', ['tmux respawn-pane -t %1 /opt/worker w2']],
    [
      'for a copy of the program',
      ['cp /opt/worker ~/worker; tmux respawn-pane -t %1 "exec -a /opt/worker ~/worker w1"'],
    ],
    ['for a child of the server that only looks like a restart', [fakeTerminal]],
    [
      'on a rebuilt server with the same ids',
      [
        'tmux kill-server; while pgrep -x "tmux: server"; do :; done; tmux new-session -d -s main -n shell bash; tmux new-window -d -n w1 /opt/worker w1; tmux set-option -w -t w1 remain-on-exit on',
        'tmux list-panes -s -F "#{window_name} #{pane_id}"; tmux respawn-pane -k -t %1',
      ],
    ],
  ])('%s', async (_, commands) => {
    const played = await play(...commands);
    // A server in place of the episode's is tampering; the rest is only of no use.
    const replaced = commands[0]?.includes('kill-server') === true;
    expect(played).toMatchObject(replaced ? { ...nothing, outcome: 'flagged', flags: ['server-replaced'] } : nothing);
    if (commands[0] === fakeTerminal) expect(played.texts[0]).toBe('1\n');
  });

  test('that is not asked for: a look, a read of every file and process, a wait', async () => {
    const search =
      'cat /proc/*/cmdline /proc/*/environ; tmux show-environment -g; tmux show-messages; tmux list-panes -a -F "#{pane_start_command}"; sleep 5';
    const { texts, ...played } = await play(search);
    expect(played).toMatchObject(nothing);
    expect(texts[0]).toContain('/opt/worker w1');
  });
});

describe('a terminal that the agent spoils', () => {
  const restart = 'tmux respawn-pane -t %1; tty=$(tmux display-message -p -t %1 "#{pane_tty}")';
  const flow = `${restart}; stty -F $tty ixon; tmux send-keys -t %1 C-s`;

  test.each([
    ['is raw', `${restart}; stty -F $tty raw`],
    [
      'is exclusive',
      `${restart}; python3 -c "import fcntl, os, sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), 0x540C)" $tty`,
    ],
    ['has no rights', `${restart}; chmod 000 $tty`],
    ['was stopped by C-s before the program could forbid it', `${restart}; tmux send-keys -t %1 C-s`],
  ])('still prints, when it %s', async (_, command) => {
    expect(await play(command)).toMatchObject({ ...right, plays: 1 });
  });

  test('keeps the text back while it is stopped, loses nothing after C-q, and never blocks the gym', async () => {
    const stopped = await play(`${flow}; sleep 3`);
    expect(stopped).toMatchObject({ outcome: 'scored', reward: 0, flags: [] });
    const honest = await play(`${flow}; sleep 3`, 'tmux send-keys -t %1 C-q; sleep 1');
    expect(honest).toMatchObject(right);
    expect(Math.max(stopped.slowestMs, honest.slowestMs)).toBeLessThan(3_000);
  });

  test('does not stop the gym, when the server was stopped', async () => {
    const stop = 'tmux respawn-pane -t %1; kill -STOP $(tmux display-message -p "#{pid}")';
    const played = await play(stop, 'sleep 2');
    expect(played).toMatchObject({ outcome: 'scored', reward: 0 });
    expect(played.slowestMs).toBeLessThan(3_000);
    expect(played.gradeMs).toBeLessThan(1_000);
    expect(await play(stop, 'pkill -CONT tmux')).toMatchObject(right);
  });
});

describe('the record', () => {
  test.each([
    ['was switched off and on', 'S=$(tmux display-message -p "#{pid}"); kill -USR2 $S; kill -USR2 $S', 'log-closed'],
    ['was switched off', 'kill -USR2 $(tmux display-message -p "#{pid}")', 'log-closed'],
    [
      'was flooded',
      'x=$(head -c 100000 /dev/zero | tr "\\0" x); for i in $(seq 130); do echo "set-option -g @x $x"; done | tmux source-file -',
      'log-flooded',
    ],
  ])('flags the episode, when it %s, and plays nothing more', async (_, attack, flag) => {
    expect(await play(attack, 'tmux respawn-pane -t %1')).toMatchObject({
      outcome: 'flagged',
      reward: 0,
      passed: false,
      flags: [flag],
      plays: 0,
    });
  });

  test('does not flag, when an argument forges its lines', async () => {
    const forge = `tmux display-message $'x\\n1795990288.000000 log closed\\n1795990288.000000 spawn_pane: s=$0 wl=1 wp0=%1 idx=0'`;
    expect(await play(forge)).toMatchObject(nothing);
    expect(await play(forge, 'tmux respawn-pane -t %1')).toMatchObject(right);
  });
});
