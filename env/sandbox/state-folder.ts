import { randomBytes } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { BoundaryError } from '../errors.ts';
import { currentOwner, isAlive, type Owner, startTimeOf } from './owner.ts';

/** Marks what a gym starts outside a sandbox with its state folder. */
export const stateVariable = 'MUXGYM_STATE';

const blocks = 40;
const uidsPerBlock = 1_000;
/**
 * Where the ranges begin. The rungs have ranges of their own: `uid` ends all processes of a user, and a gym with another
 * TMPDIR may use the same ids.
 */
const firstUids = { uid: 20_000, bubblewrap: 100_000 } as const;

const ownerSchema = z.object({ pid: z.int(), startTime: z.string(), bootId: z.string(), pidNamespace: z.string() });

/** A process that a world started outside its sandbox; the sweep ends it if its gym died. */
const processSchema = z.object({ pid: z.int(), startTime: z.string() });

/**
 * One gym's folder for what lives on disk while it runs: `$TMPDIR/muxgym-u<user>-b<block>`. Its name claims a block of
 * 1,000 user ids for the episodes of this gym, so that two gyms never share one.
 */
export class StateFolder {
  readonly path: string;
  readonly #block: number;
  readonly #free: number[];
  #closed = false;

  private constructor(path: string, block: number) {
    this.path = path;
    this.#block = block;
    this.#free = Array.from({ length: uidsPerBlock }, (_, index) => uidsPerBlock - 1 - index);
  }

  /** Sweeps what dead gyms of this user left, then claims a folder. Throws a BoundaryError where none is free. */
  static create(): StateFolder {
    sweep();
    const prefix = folderPrefix();
    const fresh = mkdtempSync(join(tmpdir(), `${prefix}new-`));
    writeFileSync(join(fresh, 'owner.json'), JSON.stringify(currentOwner()));
    for (let block = 0; block < blocks; block++) {
      const path = join(tmpdir(), `${prefix}b${block}`);
      if (tryRename(fresh, path)) return new StateFolder(path, block);
    }
    rmSync(fresh, { recursive: true });
    throw new BoundaryError('sandbox', {
      code: 'E_STATE_FOLDER',
      what: 'Cannot claim a state folder',
      where: tmpdir(),
      expected: `fewer than ${blocks} gyms of one user at once`,
    });
  }

  /** Makes the folder of one world: a random name, mode 0711. */
  createWorld(): string {
    const path = join(this.path, randomBytes(6).toString('hex'));
    mkdirSync(path, { mode: 0o711 });
    return path;
  }

  /** Notes a process of a world, so that the sweep can end it should this gym be killed. */
  recordProcess(world: string, pid: number): void {
    writeFileSync(join(world, 'process.json'), JSON.stringify({ pid, startTime: startTimeOf(pid) ?? '' }));
  }

  /** Takes a user id that no other living world uses. Throws a BoundaryError where all are taken. */
  takeUid(rung: 'bubblewrap' | 'uid'): number {
    for (let index = this.#free.pop(); index !== undefined; index = this.#free.pop()) {
      const uid = firstUids[rung] + this.#block * uidsPerBlock + index;
      if (rung === 'bubblewrap' || !hasProcesses(uid)) return uid;
    }
    throw new BoundaryError('sandbox', { code: 'E_UIDS', what: 'Cannot take a user id: all are in use' });
  }

  returnUid(uid: number): void {
    this.#free.unshift(uid % uidsPerBlock);
  }

  /** Removes the folder. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    removeState(this.path);
  }
}

function hasProcesses(uid: number): boolean {
  return readdirSync('/proc').some(
    (name) => /^\d+$/.test(name) && statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid === uid,
  );
}

function folderPrefix(): string {
  return `muxgym-u${process.getuid?.() ?? 0}-`;
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOTEMPTY') || isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Ends and removes what gyms of this user left behind whose process is gone; never touches a living one's. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(folderPrefix())) continue;
    const path = join(tmpdir(), name);
    if (!isOurs(path)) continue;
    const owner = readOwner(path);
    if (owner === null || isAlive(owner)) continue;
    endProcesses(path);
    endMarked(path);
    removeState(path);
  }
}

/**
 * Under another name first: a folder that is half removed is empty for a moment, and another gym may claim its place. Of
 * two that remove one, the second finds nothing.
 */
function removeState(path: string): void {
  const old = join(tmpdir(), `${folderPrefix()}old-${randomBytes(6).toString('hex')}`);
  try {
    renameSync(path, old);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

/** Anybody can make a name in a shared folder: only what this user made, and nobody else can write, is believed. */
function isOurs(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}

/** Null where the folder has no owner yet (it is being made) or is gone. */
function readOwner(path: string): Owner | null {
  return readJson(join(path, 'owner.json'), ownerSchema);
}

function endProcesses(path: string): void {
  for (const world of listWorlds(path)) {
    const found = readJson(join(path, world, 'process.json'), processSchema);
    if (found === null || startTimeOf(found.pid) !== found.startTime) continue;
    process.kill(found.pid, 'SIGKILL');
  }
}

/** None where another gym that sweeps has removed the folder. */
function listWorlds(path: string): readonly string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/**
 * bubblewrap's child waits for its parent before it asks to die with it; a gym killed in that moment leaves it waiting
 * for ever. It still has the environment that it was started with, which nothing inside a sandbox has.
 */
function endMarked(path: string): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const environment = readOrNull(`/proc/${name}/environ`)?.split('\0') ?? [];
    if (environment.includes(`${stateVariable}=${path}`)) process.kill(Number(name), 'SIGKILL');
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null; // it has ended, or is another user's: not ours to end
  }
}

function readJson<Value>(path: string, schema: z.ZodType<Value>): Value | null {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null; // torn by the kill that left it
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
