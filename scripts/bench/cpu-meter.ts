import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Counts the CPU time of this process and of everything that it started, daemons and killed processes included. */
export interface CpuMeter extends Disposable {
  /** How it counts: `cgroup` is exact; `machine` is the whole machine's time and needs a quiet one. */
  readonly kind: 'cgroup' | 'machine';
  /** CPU milliseconds so far. */
  read(): number;
}

/**
 * A control group of its own (version 2, or `cpuacct` of version 1), which children inherit and cannot leave. Where
 * none can be made, the machine's busy time. Disposal goes back to the group before and removes ours.
 */
export function createCpuMeter(): CpuMeter {
  for (const { folder, read } of places()) {
    const meter = tryGroup(folder, read);
    if (meter !== null) return meter;
  }
  return { kind: 'machine', read: readMachine, [Symbol.dispose]: () => undefined };
}

interface Place {
  readonly folder: string;
  /** From the group's folder to CPU milliseconds. */
  readonly read: (group: string) => number;
}

function places(): readonly Place[] {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const groups = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  return mounts.flatMap(([, mount = '', type = '', options = '']): readonly Place[] => {
    if (type === 'cgroup2') {
      const path = groups.find(([id]) => id === '0')?.[2] ?? '/';
      return [{ folder: join(mount, path), read: readUnified }];
    }
    if (type !== 'cgroup' || !options.split(',').includes('cpuacct')) return [];
    const path = groups.find(([, names]) => names?.split(',').includes('cpuacct'))?.[2] ?? '/';
    return [{ folder: join(mount, path), read: (group) => Number(readFileSync(join(group, 'cpuacct.usage'))) / 1e6 }];
  });
}

function readUnified(group: string): number {
  const microseconds = /^usage_usec (\d+)$/m.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1];
  if (microseconds === undefined) throw new Error(`Cannot read the CPU time of "${group}"`);
  return Number(microseconds) / 1000;
}

/** Null where this user may not make a group there. */
function tryGroup(folder: string, read: Place['read']): CpuMeter | null {
  const group = join(folder, `muxgym-bench-${process.pid}`);
  try {
    removeStale(folder);
    mkdirSync(group);
    writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
    read(group);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
  return {
    kind: 'cgroup',
    read: () => read(group),
    [Symbol.dispose]: () => {
      writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
      rmdirSync(group);
    },
  };
}

/** Groups of benchmarks that were killed; the kernel refuses to remove one that is in use. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith('muxgym-bench-'))) {
    try {
      rmdirSync(join(folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    }
  }
}

/** User, nice, system and interrupt time of all processors; a tick is 10 ms. */
function readMachine(): number {
  const [, user, nice, system, , , irq, softirq] =
    readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/\s+/) ?? [];
  return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
}
