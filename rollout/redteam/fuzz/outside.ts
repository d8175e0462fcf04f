import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Kills the sandbox in which a process with this command line runs, as no agent can: from outside. False where there is
 * none any more.
 */
export function killSandboxOf(marker: string): boolean {
  const inside = pids().find((pid) => read(pid, 'cmdline')?.split('\0').includes(marker) === true);
  const top = inside === undefined ? null : findChildOfOurs(inside);
  if (top === null) return false;
  process.kill(top, 'SIGKILL');
  return true;
}

/** Processes of ours that live, such as sandboxes. */
export function countChildren(): number {
  return pids().filter((pid) => parentOf(pid) === process.pid && !isZombie(pid)).length;
}

/** What each open descriptor of ours leads to, by its number. */
export function listDescriptors(): ReadonlyMap<string, string> {
  const names = readdirSync('/proc/self/fd');
  return new Map(names.flatMap((name) => follow(name)));
}

/** The one with which the folder itself was listed is closed by now. */
function follow(name: string): readonly (readonly [string, string])[] {
  try {
    return [[name, readlinkSync(`/proc/self/fd/${name}`)]];
  } catch {
    return [];
  }
}

function findChildOfOurs(pid: number): number | null {
  for (let each = pid; each > 1; ) {
    const parent = parentOf(each);
    if (parent === process.pid) return each;
    if (parent === null) return null;
    each = parent;
  }
  return null;
}

function pids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number | null {
  const parent = /^PPid:\t(\d+)$/m.exec(read(pid, 'status') ?? '')?.[1];
  return parent === undefined ? null : Number(parent);
}

function isZombie(pid: number): boolean {
  return /^State:\tZ/m.test(read(pid, 'status') ?? '');
}

function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null; // it has ended
  }
}
