import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Counts the CPU time that episodes cost, from its creation on. */
export interface CpuMeter extends Disposable {
  /**
   * `cgroup`: this process and all that it started since, exactly. `process`: this process and the children that it
   * waited for; what a sandbox's end killed inside is missing, so it is a lower bound.
   */
  readonly kind: 'cgroup' | 'process';
  /** CPU milliseconds, user and system, since the meter was made. */
  read(): number;
}

const prefix = 'muxgym-run-';

/**
 * Moves this process into a control group of its own where it may (version 2, or `cpuacct` of version 1): children
 * inherit it and cannot leave, so processes that die with their namespace are counted, which no parent is told of.
 * What was started before, such as a model server, stays outside. Disposal goes back and removes the group.
 */
export function createCpuMeter(): CpuMeter {
  for (const place of findPlaces()) {
    const meter = tryGroup(place);
    if (meter !== null) return meter;
  }
  const before = readProcessMs();
  return { kind: 'process', read: () => readProcessMs() - before, [Symbol.dispose]: () => undefined };
}

interface Place {
  /** The group that this process is in. */
  readonly folder: string;
  readonly readMs: (group: string) => number;
}

function findPlaces(): readonly Place[] {
  const mounts = readTable('/proc/self/mounts', ' ');
  const groups = readTable('/proc/self/cgroup', ':');
  return mounts.flatMap(([, mount = '', type = '', options = '']): readonly Place[] => {
    if (type === 'cgroup2') {
      const path = groups.find(([id]) => id === '0')?.[2] ?? '/';
      return [{ folder: join(mount, path), readMs: readUnifiedMs }];
    }
    if (type !== 'cgroup' || !options.split(',').includes('cpuacct')) return [];
    const path = groups.find(([, names]) => names?.split(',').includes('cpuacct'))?.[2] ?? '/';
    return [{ folder: join(mount, path), readMs: readAccountedMs }];
  });
}

function readTable(path: string, separator: string): readonly (readonly string[])[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.split(separator));
}

function readAccountedMs(group: string): number {
  return Number(readFileSync(join(group, 'cpuacct.usage'), 'utf8')) / 1e6;
}

function readUnifiedMs(group: string): number {
  const microseconds = /^usage_usec (\d+)$/m.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1];
  if (microseconds === undefined) throw new Error(`Cannot read the CPU time of "${group}"`);
  return Number(microseconds) / 1_000;
}

/** Null where this user may not make a group there, or not enter it. */
function tryGroup({ folder, readMs }: Place): CpuMeter | null {
  const group = join(folder, `${prefix}${process.pid}`);
  try {
    removeStale(folder);
    mkdirSync(group);
    writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    if (existsSync(group)) removeGroup(group);
    return null;
  }
  const before = readMs(group);
  return {
    kind: 'cgroup',
    read: () => readMs(group) - before,
    [Symbol.dispose]: () => {
      writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
      removeGroup(group);
    },
  };
}

/** The groups of runs that were killed. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || existsSync(`/proc/${name.slice(prefix.length)}`)) continue;
    removeGroup(join(folder, name));
  }
}

/** A group that something still dies in is left for a later start. */
function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EBUSY' && code !== 'ENOENT') throw error;
  }
}

/** Clock ticks a second in /proc; fixed at 100 by the kernel's interface. */
const ticksPerSecond = 100;

/** This process, and children that were waited for with theirs (`cutime` and `cstime` of /proc/self/stat). */
function readProcessMs(): number {
  const own = process.cpuUsage();
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [childUser = 0, childSystem = 0] = fields.slice(13, 15).map(Number);
  return (own.user + own.system) / 1_000 + ((childUser + childSystem) * 1_000) / ticksPerSecond;
}
