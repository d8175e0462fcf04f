import { arch } from 'node:process';
import type { ProcessView } from '../sandbox/index.ts';

/** Where a system call keeps its timeout: an argument's index, and how it is written there. */
type Timeout =
  | { readonly type: 'timespec' | 'timeval'; readonly argument: number }
  | { readonly type: 'milliseconds'; readonly argument: number };

/** Linux system call numbers of the calls that can wait with a timeout, by architecture. */
const calls: Record<string, Readonly<Record<number, Timeout>>> = {
  x64: {
    7: { type: 'milliseconds', argument: 2 }, // poll
    23: { type: 'timeval', argument: 4 }, // select
    35: { type: 'timespec', argument: 0 }, // nanosleep
    128: { type: 'timespec', argument: 2 }, // rt_sigtimedwait
    230: { type: 'timespec', argument: 2 }, // clock_nanosleep
    232: { type: 'milliseconds', argument: 3 }, // epoll_wait
    270: { type: 'timespec', argument: 4 }, // pselect6
    271: { type: 'timespec', argument: 2 }, // ppoll
    281: { type: 'milliseconds', argument: 3 }, // epoll_pwait
    441: { type: 'timespec', argument: 3 }, // epoll_pwait2
  },
  arm64: {
    22: { type: 'milliseconds', argument: 3 }, // epoll_pwait
    72: { type: 'timespec', argument: 4 }, // pselect6
    73: { type: 'timespec', argument: 2 }, // ppoll
    101: { type: 'timespec', argument: 0 }, // nanosleep
    115: { type: 'timespec', argument: 2 }, // clock_nanosleep
    137: { type: 'timespec', argument: 2 }, // rt_sigtimedwait
    441: { type: 'timespec', argument: 3 }, // epoll_pwait2
  },
};
const restart: Record<string, number> = { x64: 219, arm64: 128 };
const futex: Record<string, number> = { x64: 202, arm64: 98 };
/** Futex operations that wait (FUTEX_WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2). */
const futexWaits = new Set([0, 6, 9, 11, 13]);

/**
 * The timeout with which a sleeping thread waits, in milliseconds: null where it waits without one, 0 where a
 * restarted call hides it.
 */
export function readTimer(processes: ProcessView, pid: number, thread: string): number | null {
  const line = processes.read(pid, `task/${thread}/syscall`);
  if (line === null) return null;
  const [name = '', ...rest] = line.trim().split(' ');
  if (!/^\d+$/.test(name)) return null;
  const number = Number(name);
  if (number === restart[arch]) return 0;
  const values = rest.map((text) => BigInt(text));
  if (number === futex[arch]) {
    if (!futexWaits.has(Number((values[1] ?? 0n) & 127n))) return null;
    return readTimespec(processes, pid, values[3] ?? 0n, 1e6);
  }
  const timeout = calls[arch]?.[number];
  if (timeout === undefined) return null;
  const value = values[timeout.argument] ?? 0n;
  if (timeout.type === 'milliseconds') {
    const milliseconds = BigInt.asIntN(32, value);
    return milliseconds < 0n ? null : Number(milliseconds);
  }
  return readTimespec(processes, pid, value, timeout.type === 'timespec' ? 1e6 : 1e3);
}

/** Whether the process has POSIX timers (`timer_create`). */
export function hasPosixTimers(processes: ProcessView, pid: number): boolean {
  return (processes.read(pid, 'timers') ?? '') !== '';
}

function readTimespec(processes: ProcessView, pid: number, address: bigint, perMillisecond: number): number | null {
  if (address === 0n) return null;
  const bytes = processes.readMemory(pid, address, 16);
  // A pointer to nothing: the call is about to fail, not to wait.
  if (bytes === null) return null;
  return Number(bytes.readBigInt64LE(0)) * 1_000 + Number(bytes.readBigInt64LE(8)) / perMillisecond;
}
