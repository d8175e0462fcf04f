import { readStat, type Sandbox } from '../sandbox/index.ts';

/** The signal that ends a wait of the gym's own `sleep` and `timeout` (native/sleep.c). */
export const releaseSignal = 34;

/** A process that waits on the virtual clock. */
export interface Sleeper {
  readonly pid: number;
  /** Pid and start time, as one key. */
  readonly key: string;
  /** The waits it has ahead, in virtual milliseconds: one for `sleep`, up to two for `timeout -k`. */
  readonly durations: readonly number[];
}

/** Finds the processes that run the gym's `sleep` or `timeout`, by their executable, whatever they call themselves. */
export function findSleepers(sandbox: Sandbox): readonly Sleeper[] {
  const found: Sleeper[] = [];
  for (const pid of sandbox.processes.pids()) {
    const key = sandbox.processes.executable(pid);
    if (key !== sandbox.sleepKey && key !== sandbox.timeoutKey) continue;
    const argv = sandbox.processes.read(pid, 'cmdline')?.split('\0').slice(1, -1) ?? [];
    const durations = key === sandbox.sleepKey ? sleepDurations(argv) : timeoutDurations(argv);
    if (durations.length > 0)
      found.push({ pid, key: `${pid}/${readStat(sandbox.processes, pid)?.startTime}`, durations });
  }
  return found;
}

/**
 * The sum of its operands, as coreutils. None where there is no operand: the program does not wait then, or the kernel
 * has not put its arguments in place yet, and it is no sleeper before it has them.
 */
export function sleepDurations(argv: readonly string[]): readonly number[] {
  const operands = argv[0] === '--' ? argv.slice(1) : argv;
  if (operands.length === 0) return [];
  return [operands.reduce((sum, text) => sum + parseDuration(text), 0)];
}

/** The limit, then the grace of `--kill-after`; none where the limit is 0, which means for ever. */
export function timeoutDurations(argv: readonly string[]): readonly number[] {
  let grace = 0;
  let index = 0;
  for (; argv[index]?.startsWith('-') === true && argv[index] !== '--'; index++) {
    const option = readOption(argv[index] ?? '', argv[index + 1] ?? '');
    if (option.killAfter !== null) grace = parseDuration(option.killAfter);
    if (option.takesNext) index++;
  }
  const limit = parseDuration(argv[argv[index] === '--' ? index + 1 : index] ?? '0');
  if (limit === 0) return [];
  return grace > 0 ? [limit, grace] : [limit];
}

/** What one option word of `timeout` says about `--kill-after`, and whether the next word belongs to it. */
function readOption(word: string, next: string): { readonly killAfter: string | null; readonly takesNext: boolean } {
  if (word.startsWith('--')) return readLongOption(word.slice(2), next);
  // Letters may stand together, up to the first that takes an argument.
  const [, letter, rest] = /^-[vfp]*([ks])(.*)$/.exec(word) ?? [];
  if (letter === undefined) return { killAfter: null, takesNext: false };
  const value = rest === '' ? next : (rest ?? '');
  return { killAfter: letter === 'k' ? value : null, takesNext: rest === '' };
}

/** Long options may be shortened to what is still one of a kind. */
function readLongOption(text: string, next: string): ReturnType<typeof readOption> {
  const [name = '', value] = text.split('=', 2);
  if (name === '' || !('kill-after'.startsWith(name) || 'signal'.startsWith(name))) {
    return { killAfter: null, takesNext: false };
  }
  return { killAfter: 'kill-after'.startsWith(name) ? (value ?? next) : null, takesNext: value === undefined };
}

const unitMs: Readonly<Record<string, number>> = { '': 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A GNU duration in milliseconds, rounded up. The program has already refused what is none; `inf` and the hexadecimal
 * fractions of C count as for ever.
 */
function parseDuration(text: string): number {
  const [, number, unit = ''] =
    /^\+?(0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)([smhd]?)$/.exec(text) ?? [];
  return number === undefined ? Number.POSITIVE_INFINITY : Math.ceil(Number(number) * (unitMs[unit] ?? 1_000));
}
