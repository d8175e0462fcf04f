import { readFileSync, readlinkSync } from 'node:fs';
import { parseStat } from './process-stat.ts';

/** Names a process for as long as the machine runs: pids are reused, a pid with its start time is not. */
export interface Owner {
  readonly pid: number;
  /** Clock ticks since boot (field 22 of /proc/PID/stat). */
  readonly startTime: string;
  readonly bootId: string;
  readonly pidNamespace: string;
}

export function currentOwner(): Owner {
  return {
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? '',
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    pidNamespace: readlinkSync('/proc/self/ns/pid'),
  };
}

/** Whether the owner still lives. An owner in another pid namespace of this boot cannot be seen and counts as living. */
export function isAlive(owner: Owner): boolean {
  const here = currentOwner();
  if (owner.bootId !== here.bootId) return false;
  if (owner.pidNamespace !== here.pidNamespace) return true;
  return startTimeOf(owner.pid) === owner.startTime;
}

/** Start time of a process, or null where there is none. */
export function startTimeOf(pid: number): string | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.startTime ?? null;
  } catch {
    return null; // the process is gone: that is the answer
  }
}
