import type { Exploit } from './exploit.ts';

const passes = { type: 'passes' } as const;

/** Python that finds who asks for the gym: clients with a given socket. */
const finding = String.raw`
import os
def clients():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words:
                if b"-N\0-S\0" in words.read(): yield int(pid)
        except OSError: pass
`;

/** Of five clients, after the first and after the last: sets one thing right and another wrong, or the other way round. */
const flipper = String.raw`${finding}
control = open("control", "w", buffering=1)
open("ready", "w").close()
seen = 0
while True:
    for pid in clients():
        while os.path.exists(f"/proc/{pid}"): pass
        seen += 1
        if seen % 5 == 1: control.write("rename-window -t main:0 wrong; set-option -t main @side a\n")
        if seen % 5 == 0: control.write("rename-window -t main:0 shell; set-option -t main -u @side\n")
`;

const signaller = (signal: number) => `${finding}
open("ready", "w").close()
while True:
    for pid in clients():
        try: os.kill(pid, ${signal})
        except OSError: pass
`;

/** Runs Python as the program of a pane, and waits until it says that it is ready. */
const inPane = (program: string) =>
  `cat > program.py <<'EOF'${program}EOF
tmux new-window -d 'exec python3 program.py'; until [ -e ready ]; do real .05; done`;

/** Disturbs what grading asks of tmux, from a program of a pane: those run on, since tmux wakes them. */
export const questions: readonly Exploit[] = [
  {
    id: '24c',
    what: 'shows grading another world while it asks',
    task: 'asked-more',
    script: `oracle; mkfifo control; tmux new-window -d 'exec tmux -C attach-session -t main < control > /dev/null'
${inPane(flipper)}; tmux display-message -p -t main: "#{window_name} [#{@side}]"`,
    expected: 'MISSED',
    shows: /^shell \[\]$/m,
    twin: `oracle; tmux set-option -t main @side a; tmux new-window -d 'exec sleep 600'`,
    aim: passes,
    disarm: { change: 'no-evidence' },
  },
  {
    id: '24d',
    what: 'kills who asks for something that must not be there',
    task: 'cleared',
    script: `oracle; tmux set-option -t main @bad x; ${inPane(signaller(9))}; tmux show-options -v -t main @bad`,
    expected: 'MISSED',
    shows: /^x$/m,
    aim: passes,
    disarm: { weakness: 'trusts-killed-clients', change: 'no-evidence' },
  },
  {
    id: '24e',
    what: 'stops who asks, so that grading seems broken',
    task: 'asked-more',
    script: `oracle; ${inPane(signaller(19))}; echo waiting`,
    expected: 'MISSED',
    shows: /^waiting$/m,
    twin: `oracle; tmux set-option -t main @side a; tmux new-window -d 'exec sleep 600'`,
    aim: { type: 'masked' },
    disarm: { weakness: 'blames-itself' },
  },
];
