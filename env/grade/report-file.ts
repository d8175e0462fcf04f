import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

export type FileRead =
  | { readonly type: 'text'; readonly text: string }
  /** Nothing was read, by the agent's doing: there is no such file, or it is not one that a check reads. */
  | {
      readonly type: 'refused';
      readonly reason: 'missing' | 'link' | 'not-a-file' | 'hard-link' | 'too-long' | 'unreadable';
    };

const maximumBytes = 65_536;

/**
 * Reads a file that the agent wrote, by one name below its HOME. Links, devices, FIFOs, folders, hard links and files
 * over 64 KiB are refused; it never blocks and never reads more. Call it when nothing of the agent's runs any more.
 */
export function readReportFile(home: string, name: string): FileRead {
  let descriptor: number;
  try {
    descriptor = openSync(join(home, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) };
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { type: 'refused', reason: 'not-a-file' };
    if (stat.nlink !== 1) return { type: 'refused', reason: 'hard-link' };
    // The gym may be root; the agent's own rights decide.
    if ((stat.mode & constants.S_IRUSR) === 0) return { type: 'refused', reason: 'unreadable' };
    if (stat.size > maximumBytes) return { type: 'refused', reason: 'too-long' };
    const bytes = Buffer.alloc(maximumBytes + 1);
    const size = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (size > maximumBytes) return { type: 'refused', reason: 'too-long' };
    return { type: 'text', text: bytes.toString('utf8', 0, size) };
  } finally {
    closeSync(descriptor);
  }
}

/** What an agent can cause by its file becomes a reason; anything else is the gym's own failure and is thrown on. */
function reasonOf(error: unknown): 'missing' | 'link' | 'not-a-file' | 'unreadable' {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return 'missing';
  if (code === 'ELOOP') return 'link';
  if (code === 'ENXIO' || code === 'ENODEV') return 'not-a-file';
  if (code === 'EACCES' || code === 'EPERM') return 'unreadable';
  throw error;
}
