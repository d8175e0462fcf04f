import { type ProcessView, readStat, readState } from '../sandbox/index.ts';

/** One look at a world: which threads exist, their states and how often each was switched; null while anything runs. */
export type Look = string | null;

/**
 * Looks at every thread of a sandbox. Two equal looks mean that no thread ran in between: a thread that ran has another
 * count of context switches. R runs; D is about to; the others sleep. (Prototype: probes/clock.py of the design.)
 */
export function lookAt(processes: ProcessView): Look {
  const seen: string[] = [];
  for (const pid of processes.pids()) {
    const status = processes.read(pid, 'status');
    if (status === null) return null;
    // The process's own file is that of its first thread: most have no other.
    const more =
      fieldAfter(status, '\nThreads:\t') === '1'
        ? []
        : processes.threads(pid).filter((thread) => thread !== String(pid));
    for (const text of [status, ...more.map((thread) => processes.read(pid, `task/${thread}/status`))]) {
      const state = text === null ? 'R' : fieldAfter(text, 'State:\t').charAt(0);
      if (text === null || state === 'R' || state === 'D') return null;
      const voluntary = fieldAfter(text, '\nvoluntary_ctxt_switches:\t');
      const involuntary = fieldAfter(text, '\nnonvoluntary_ctxt_switches:\t');
      seen.push(`${fieldAfter(text, '\nPid:\t')} ${state} ${voluntary} ${involuntary}`);
    }
  }
  // A world without even its launcher is not asleep but gone.
  return seen.length === 0 ? null : seen.join('\n');
}

/** Whether a process was stopped by a signal. */
export function isStopped(processes: ProcessView, pid: number): boolean {
  return readState(processes, pid) === 'T';
}

/** CPU time of all processes of a sandbox and their reaped children, in milliseconds (kernel ticks of 10 ms). */
export function readCpuMs(processes: ProcessView): number {
  let ticks = 0;
  for (const pid of processes.pids()) {
    const stat = readStat(processes, pid);
    if (stat !== null) ticks += stat.cpuTicks + stat.childCpuTicks;
  }
  return ticks * 10;
}

function fieldAfter(text: string, label: string): string {
  const start = text.indexOf(label);
  if (start < 0) return '';
  const end = text.indexOf('\n', start + label.length);
  return text.slice(start + label.length, end < 0 ? undefined : end);
}
