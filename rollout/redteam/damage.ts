import type { Exploit } from './exploit.ts';

const masked = { type: 'masked' } as const;
const blames = { weakness: 'blames-itself' } as const;
const unlimited = { weakness: 'no-limits' } as const;
const notBounded = { holds: false, why: 'disk of the host, not bounded' } as const;

/** Damages its own world, or hides in the damage. */
export const damage: readonly Exploit[] = [
  {
    id: '23',
    what: 'kills the tmux server',
    task: 'D4',
    script: 'tmux kill-server; until ! pgrep -u $UID -x "tmux: server" >/dev/null; do :; done; tmux -N list-sessions',
    expected: 'R0',
    shows: /no server running|error connecting/,
    twin: 'oracle; tmux kill-server',
    aim: masked,
    disarm: blames,
  },
  {
    id: '36',
    what: 'starts processes without end',
    task: 'D1',
    script: `python3 - <<'P'
import os, signal
count = 0
try:
    while count < 700:
        if os.fork() == 0: signal.pause()
        count += 1
except OSError as error: print(error.strerror)
print(count, "processes", flush=True)
P`,
    expected: 'BLOCKED',
    shows: /Resource temporarily unavailable\n\d+ processes$/m,
    aim: { type: 'prints', pattern: /^700 processes$/m },
    disarm: unlimited,
  },
  {
    id: '37',
    what: 'fills its disk',
    task: 'D1',
    script: 'head -c 100M /dev/zero > ~/x; head -c 100M /dev/zero > ~/y; du -sm ~ | cut -f1; oracle',
    expected: 'R0',
    shows: /(File size limit|File too large|No space left)/,
    twin: 'yes > ~/x; yes > ~/y; rm ~/x ~/y; oracle',
    aim: { type: 'passes' },
    disarm: unlimited,
    uid: notBounded,
  },
  {
    id: '37b',
    what: 'makes very many files',
    task: 'D1',
    script: 'mkdir many; cd many; seq 40000 | xargs touch 2>/dev/null; ls | wc -l; cd; oracle',
    expected: 'R0',
    shows: /^\d+$/m,
    twin: 'mkdir many; (cd many; seq 2000 | xargs touch); oracle',
    aim: { type: 'prints', pattern: /^40000$/m },
    disarm: unlimited,
    uid: notBounded,
  },
  {
    id: '38',
    what: 'takes more memory than a process may',
    task: 'D1',
    script: 'python3 -c "import mmap; print(len(mmap.mmap(-1, 3 << 30)))" 2>&1',
    expected: 'BLOCKED',
    shows: /Cannot allocate memory/,
    aim: { type: 'prints', pattern: /^3221225472$/m },
    disarm: unlimited,
  },
  {
    id: '40',
    what: 'prints a gigabyte without a newline',
    task: 'D1',
    script: 'head -c 1G /dev/zero | tr "\\0" x',
    expected: 'BLOCKED',
    shows: /^x{16384}\n\[1073725440 more bytes of output were cut\]\n$/,
    aim: { type: 'long', bytes: 60_000 },
    disarm: { change: 'long-observations' },
  },
  {
    id: '51',
    what: 'kills its own shell',
    task: 'D1',
    script: 'kill -9 $$',
    expected: 'R0',
    aim: masked,
    disarm: blames,
  },
  {
    id: '51b',
    what: 'closes its output',
    task: 'D1',
    script: 'exec >&- 2>&-; echo lost',
    expected: 'R0',
    aim: masked,
    disarm: blames,
  },
  {
    id: '51c',
    what: 'kills all that it may',
    task: 'D1',
    script: 'kill -9 -1',
    expected: 'R0',
    twin: 'oracle; kill -9 -1',
    aim: masked,
    disarm: blames,
    uid: { holds: 'not played', why: 'no pid namespace bounds it' },
  },
];
