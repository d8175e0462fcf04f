import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc; fixed at 100 by the kernel's interface on every supported architecture. */
const ticksPerSecond = 100;

/**
 * CPU milliseconds (user and system) that this process and its children used so far: its own, and those of children
 * that ended and were waited for, with their own such children in turn (`cutime` and `cstime` of /proc/self/stat, in
 * steps of 10 ms). Each sandbox is a child whose end ends and collects all that ran inside, so the difference of two
 * readings, the second after the gym closed, is the whole cost of the episodes between. A model server lives on past
 * the second reading and is not counted.
 */
export function readCpuMs(): number {
  const own = process.cpuUsage();
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [childUser = 0, childSystem = 0] = fields.slice(13, 15).map(Number);
  return (own.user + own.system) / 1_000 + ((childUser + childSystem) * 1_000) / ticksPerSecond;
}
