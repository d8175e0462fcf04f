import type { Exploit } from './exploit.ts';

/** A file that a jump of the clock would make, and a program that needs real time for less than it. */
const late = '(sleep 3; touch ~/late) & ';
const jumps = { type: 'prints', pattern: /^late$|the action was ended/m } as const;
const hangs = { type: 'prints', pattern: /the action was ended/ } as const;
const blind = { weakness: 'blind-clock' } as const;

/** Holds the virtual clock back, or makes it jump. */
export const clocks: readonly Exploit[] = [
  {
    id: '58a',
    what: 'computes in the background',
    task: 'D1',
    script: `${late}yes > /dev/null & while :; do :; done & perl -e '1 while times < .3'; ls ~; echo on`,
    expected: 'BLOCKED',
    shows: /on\n/,
    aim: jumps,
    disarm: blind,
  },
  {
    id: '58b',
    what: 'stops a child',
    task: 'D1',
    script: 'sleep 100 & kill -STOP $!; sleep 2; echo woke',
    expected: 'BLOCKED',
    shows: /^woke\n/,
    aim: hangs,
    disarm: { weakness: 'literal-clock', change: 'short-actions' },
  },
  {
    id: '58c',
    what: 'hangs in the kernel, with a loop of short sleeps beside it',
    task: 'D1',
    script: `${late}python3 -c "import ctypes; l = ctypes.CDLL(None); l.vfork() or l.pause()" & (while sleep 0.001; do :; done) & perl -e '1 while times < 1'; ls ~; echo on`,
    expected: 'BLOCKED',
    shows: /on\n/,
    aim: jumps,
    disarm: blind,
  },
  {
    id: '58d',
    what: 'has very many sleepers',
    task: 'D1',
    script: 'for i in $(seq 400); do sleep 50 & done; sleep 1; jobs -r | wc -l',
    expected: 'BLOCKED',
    shows: /^400\n/,
    aim: hangs,
    disarm: { weakness: 'short-sighted-clock', change: 'short-actions' },
  },
  {
    id: '58e',
    what: 'computes in a thread while its first one waits',
    task: 'D1',
    script: `${late}python3 - <<'P'
import threading, time
def compute():
    while time.thread_time() < .5: pass
worker = threading.Thread(target=compute); worker.start(); worker.join(); print("computed")
P
ls ~`,
    expected: 'BLOCKED',
    shows: /^computed\n/,
    aim: jumps,
    disarm: blind,
  },
  {
    id: '59a',
    what: 'polls on short real timers',
    task: 'D1',
    script: `${late}python3 -c 'import time\nfor _ in range(100): time.sleep(.004)'; ls ~; echo polled`,
    expected: 'BLOCKED',
    shows: /polled\n$/,
    aim: jumps,
    disarm: blind,
  },
  {
    id: '59b',
    what: 'waits for a channel with a time limit',
    task: 'D1',
    script: `${late}timeout .5 tmux wait-for x; echo $?; ls ~`,
    expected: 'BLOCKED',
    shows: /^124\n/,
    aim: jumps,
    disarm: { weakness: 'short-sighted-clock' },
  },
  {
    id: 'x-pointer',
    what: 'takes away the memory that a waiting call points to',
    task: 'D1',
    script: `python3 - <<'P' &
import ctypes, mmap, os, struct, threading, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.nanosleep.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
page = libc.mmap(None, 4096, 3, 0x22, -1, 0)
ctypes.memmove(page, struct.pack("qq", 100, 0), 16)
threading.Thread(target=libc.nanosleep, args=(page, None)).start()
time.sleep(.2)
libc.munmap(page, 4096)
open("gone", "w")
P
until [ -e gone ]; do real .05; done; sleep 1; echo slept`,
    expected: 'BLOCKED',
    shows: /^slept\n$/m,
    aim: { type: 'masked' },
    disarm: { weakness: 'fragile-clock' },
  },
];
