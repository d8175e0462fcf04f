import type { ProcessView } from './process-view.ts';

/** What /proc/PID/stat says of a process (proc_pid_stat(5)). */
export interface ProcessStat {
  readonly parent: number;
  readonly session: number;
  /** Device number of the controlling terminal; 0 without one. */
  readonly terminal: number;
  /** Kernel ticks of 10 ms on the processor, */
  readonly cpuTicks: number;
  /** and those of children that were waited for. */
  readonly childCpuTicks: number;
  /** In kernel ticks since the machine started: with the pid, which process it is. */
  readonly startTime: string;
}

/** Null where the process is gone. */
export function readStat(processes: ProcessView, pid: number): ProcessStat | null {
  const text = processes.read(pid, 'stat');
  return text === null ? null : parseStat(text);
}

/** The state letter of /proc/PID/status, such as `S` or `T`; null where the process is gone. */
export function readState(processes: ProcessView, pid: number): string | null {
  return /^State:\t(\S)/m.exec(processes.read(pid, 'status') ?? '')?.[1] ?? null;
}

/** The second field, a name in parentheses, may hold anything; the others follow its end. Null for a torn text. */
export function parseStat(text: string): ProcessStat | null {
  const [, parent, , session, terminal, , , , , , , user, system, childUser, childSystem, , , , , startTime] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ');
  if (startTime === undefined) return null;
  return {
    parent: Number(parent),
    session: Number(session),
    terminal: Number(terminal),
    cpuTicks: Number(user) + Number(system),
    childCpuTicks: Number(childUser) + Number(childSystem),
    startTime,
  };
}
