import { describe, expect, test } from 'vitest';
import type { ProcessView } from '../sandbox/index.ts';
import { hasPosixTimers, readTimer } from './timers.ts';

/** A process as /proc shows it: recorded lines of x86-64, and the timespec or timeval at 0x1000. */
const processOf = (syscall: string | null, words: readonly bigint[] | null = null, timers = ''): ProcessView => ({
  pids: () => [7],
  threads: () => ['7'],
  executable: () => null,
  read: (_, file) => (file === 'timers' ? timers : syscall),
  readMemory: (_, address) => {
    if (address !== 0x1000n || words === null) return null;
    const bytes = Buffer.alloc(16);
    for (const [index, word] of words.entries()) bytes.writeBigInt64LE(word, index * 8);
    return bytes;
  },
});

const line = (number: number, ...values: (number | bigint)[]) =>
  `${number} ${Array.from({ length: 6 }, (_, index) => `0x${(values[index] ?? 0).toString(16)}`).join(' ')} 0x7ffc 0x7f01\n`;
const read = (syscall: string | null, words: readonly bigint[] | null = null) =>
  readTimer(processOf(syscall, words), 7, '7');

describe.runIf(process.arch === 'x64')('readTimer()', () => {
  test.each<[string, number | null, string | null, readonly bigint[] | null]>([
    ['poll without a timeout', null, line(7, 0x2000, 1, 0xffffffff), null],
    ['poll for 250 ms', 250, line(7, 0x2000, 1, 250), null],
    ['epoll_wait without a timeout', null, line(232, 3, 0x2000, 32, 0xffffffff), null],
    ['epoll_wait for ever, as a 64-bit -1', null, line(232, 3, 0x2000, 32, 0xffffffffffffffffn), null],
    ['epoll_wait for an hour', 3_600_000, line(232, 3, 0x2000, 32, 3_600_000), null],
    ['clock_nanosleep', 2_500, line(230, 0, 0, 0x1000), [2n, 500_000_000n]],
    ['nanosleep', 10, line(35, 0x1000), [0n, 10_000_000n]],
    ['select without a timeout', null, line(23, 5, 0, 0, 0, 0), null],
    ['select for 1.5 s', 1_500, line(23, 5, 0, 0, 0, 0x1000), [1n, 500_000n]],
    ['pselect6 for 2 s', 2_000, line(270, 5, 0, 0, 0, 0x1000), [2n, 0n]],
    ['ppoll for 2 s', 2_000, line(271, 0x2000, 1, 0x1000), [2n, 0n]],
    ['sigtimedwait without a timeout', null, line(128, 0x2000, 0, 0, 8), null],
    ['sigtimedwait for 3 s', 3_000, line(128, 0x2000, 0, 0x1000, 8), [3n, 0n]],
    ['futex wait without a timeout', null, line(202, 0x2000, 128, 1, 0), null],
    ['futex wait for 4 s', 4_000, line(202, 0x2000, 128, 1, 0x1000), [4n, 0n]],
    ['futex wait-bitset for 4 s, on the wall clock', 4_000, line(202, 0x2000, 393, 1, 0x1000), [4n, 0n]],
    ['futex wake, whose fourth argument is no timeout', null, line(202, 0x2000, 129, 1, 0x1000), [4n, 0n]],
    ['a pointer to nothing, with which the call fails at once', null, line(35, 0x5000), null],
    ['a system call that was interrupted and goes on', 0, line(219), null],
    ['wait4', null, line(61, 0xffffffff, 0, 0), null],
    ['read', null, line(0, 0, 0x2000, 1), null],
    ['a running thread', null, 'running\n', null],
    ['a blocked one without a system call', null, '-1 0x7ffc 0x7f01\n', null],
    ['a thread that is gone', null, null, null],
  ])('sees %s as %j ms', (_, milliseconds, syscall, words) => {
    expect(read(syscall, words)).toBe(milliseconds);
  });
});

describe('hasPosixTimers()', () => {
  test('tells whether /proc lists any', () => {
    expect(hasPosixTimers(processOf(null), 7)).toBe(false);
    expect(hasPosixTimers(processOf(null, null, 'ID: 0\nsignal: 14/0000000000000000\n'), 7)).toBe(true);
  });
});
