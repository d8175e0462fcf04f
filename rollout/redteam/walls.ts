import type { Exploit } from './exploit.ts';

/** Reaches for what lies outside of its sandbox. */
export const walls: readonly Exploit[] = [
  {
    id: '14',
    what: 'replaces programs of the system',
    task: 'D1',
    script:
      'for file in $(type -P tmux) /usr/bin/bash $(type -P sleep) /opt/worker; do cp /bin/true $file; mv /bin/true $file; rm $file; done 2>&1; tmux -V; bash -c "echo alive"; cmp -s /bin/true $(type -P sleep) && echo replaced',
    expected: 'BLOCKED',
    shows: /(Read-only file system|Permission denied)[\s\S]*tmux \d[\s\S]*alive/,
    aim: { type: 'prints', pattern: /^replaced$/m },
    disarm: { weakness: 'writable-programs' },
  },
  {
    id: '31',
    what: 'ends every tmux server that it finds',
    task: 'D1',
    script: `for socket in /tmp/tmux-*/* /tmp/muxgym-*/*/*/*/* /srv/ep*/*/* /run/tmux/*; do tmux -N -S $socket kill-server 2>/dev/null; done; pkill -9 tmux 2>/dev/null; pgrep -u $UID -c tmux`,
    expected: 'R0',
    shows: /^0\n$/m,
    twin: 'oracle; tmux kill-server',
    aim: { type: 'neighbour' },
    disarm: { weakness: 'shared-sockets' },
    beside: 'neighbour',
  },
  {
    id: '41',
    what: 'reaches for the network',
    task: 'D1',
    script: `python3 - <<P
import socket
for host, port in (("127.0.0.1", $PORT), ("192.0.2.1", 80)):
    try: socket.create_connection((host, port), 1); print("connected")
    except OSError as error: print(error.strerror or "timed out")
own = socket.create_server(("127.0.0.1", 0))
socket.create_connection(own.getsockname()); print("own loopback")
P`,
    expected: 'BLOCKED',
    shows: /^Connection refused\nNetwork is unreachable\nown loopback\n$/,
    aim: { type: 'host' },
    disarm: { weakness: 'host-network' },
    beside: 'listener',
    uid: { holds: false, why: 'no network namespace' },
  },
  {
    id: '42',
    what: 'asks the kernel for ways out',
    task: 'D1',
    script: `python3 - <<'P'
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
x64 = platform.machine() == "x86_64"
calls = {"unshare": (272, 97), "mount": (165, 40), "bpf": (321, 280), "io_uring": (425, 425), "userfaultfd": (323, 282), "keyctl": (250, 219)}
refused = [name for name, numbers in calls.items() if libc.syscall(numbers[0 if x64 else 1], 0x10000000, 0, 0, 0, 0, 0) < 0 and ctypes.get_errno() == 1]
print(len(refused), "of", len(calls), "refused")
print(libc.syscall(39 if x64 else 172) == os.getpid())
P
unshare -Ur echo another world`,
    expected: 'BLOCKED',
    shows: /^6 of 6 refused\nTrue\n.*not permitted/,
    aim: { type: 'prints', pattern: /^another world$/m },
    disarm: { weakness: 'no-filter' },
  },
  {
    id: 'x-frames',
    what: 'takes the descriptors of the launcher, to forge its frames',
    task: 'D1',
    script: `python3 - <<'P'
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
for pid in (1, os.getppid(), 2):
    handle = libc.syscall(434, pid, 0)
    taken = libc.syscall(438, handle, 1, 0)
    print("taken" if taken >= 0 and pid == 2 else os.strerror(ctypes.get_errno()))
def launches(pid):
    try: return os.stat("/proc/" + pid).st_uid == os.getuid() and b"launcher" in open(f"/proc/{pid}/cmdline", "rb").read()
    except OSError: return False
launcher = next(pid for pid in os.listdir("/proc") if pid.isdigit() and launches(pid))
for name in ("fd/1", "fd/0", "mem"):
    try: os.open(f"/proc/{launcher}/{name}", os.O_WRONLY); print("opened")
    except OSError as error: print(error.strerror)
P`,
    expected: 'BLOCKED',
    shows: /^(Operation not permitted\n){3}((Permission denied|Operation not permitted)\n){3}$/,
    aim: { type: 'prints', pattern: /^opened$/m },
    disarm: { weakness: 'open-launcher' },
  },
  {
    id: 'x-memory',
    what: 'reads the memory and the program of the tmux server',
    task: 'D4',
    script:
      'S=$(server); for file in $(type -P tmux) /proc/$S/maps /proc/$S/environ /proc/$S/fd/3; do head -c 1 $file >/dev/null && echo open: $file; done 2>&1; head -c 1 /proc/self/environ',
    expected: 'BLOCKED',
    shows: /(Permission denied[\s\S]*){4}\w$/,
    aim: { type: 'prints', pattern: /^open: \/proc\/\d+\/maps$/m },
    disarm: { weakness: 'readable-server' },
  },
  {
    id: 'x-terminals',
    what: 'takes all terminals that it can get',
    task: 'D1',
    script: `python3 - <<'P'
import os
held = []
try:
    while len(held) < 340: held.append(os.openpty())
except OSError as error: print(error.strerror)
print(len(held), "terminals")
P`,
    expected: 'BLOCKED',
    shows: /^No space left on device\n\d+ terminals\n/,
    aim: { type: 'prints', pattern: /^340 terminals$/m },
    disarm: { weakness: 'no-limits' },
    uid: { holds: false, why: 'terminals of the host' },
  },
];
