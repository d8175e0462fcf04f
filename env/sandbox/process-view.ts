import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';

/**
 * The processes of one sandbox, seen from outside through a /proc that was opened before the agent's first action.
 * Pids are those inside. Everything can vanish between two calls, so a missing process is null and never an error.
 */
export interface ProcessView {
  pids(): readonly number[];
  /** A file below /proc/PID, or null. At most 64 KiB. */
  read(pid: number, file: string): string | null;
  /** Bytes of a process's memory, or null. */
  readMemory(pid: number, address: bigint, size: number): Buffer | null;
  threads(pid: number): readonly string[];
  /** Device and inode of the executable, as one key, or null. */
  executable(pid: number): string | null;
}

const buffer = Buffer.alloc(65_536);
/** No process has memory of its own from here on; what it passes to a system call can be anything. */
const userSpaceEnd = 1n << 47n;

abstract class ProcFolder implements ProcessView {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  abstract pids(): readonly number[];

  protected get root(): string {
    return this.#root;
  }

  read(pid: number, file: string): string | null {
    return orNull(() => {
      const opened = openSync(`${this.#root}/${pid}/${file}`, 'r');
      try {
        return buffer.toString('latin1', 0, readSync(opened, buffer, 0, buffer.length, 0));
      } finally {
        closeSync(opened);
      }
    });
  }

  readMemory(pid: number, address: bigint, size: number): Buffer | null {
    if (address >= userSpaceEnd) return null;
    return orNull(() => {
      const opened = openSync(`${this.#root}/${pid}/mem`, 'r');
      try {
        const bytes = Buffer.alloc(size);
        return readSync(opened, bytes, 0, size, address) === size ? bytes : null;
      } finally {
        closeSync(opened);
      }
    });
  }

  threads(pid: number): readonly string[] {
    return orNull(() => readdirSync(`${this.#root}/${pid}/task`)) ?? [];
  }

  executable(pid: number): string | null {
    return orNull(() => {
      const { dev, ino } = statSync(`${this.#root}/${pid}/exe`);
      return `${dev}:${ino}`;
    });
  }
}

/** All processes of a pid namespace but its init. `root` is a path that leads to the namespace's own /proc. */
export class NamespaceView extends ProcFolder {
  override pids(): readonly number[] {
    const names = orNull(() => readdirSync(this.root)) ?? [];
    return names.filter((name) => /^\d+$/.test(name) && name !== '1').map(Number);
  }
}

/** The descendants of one process, for rungs without a pid namespace; orphans come back to it, a subreaper. */
export class DescendantView extends ProcFolder {
  readonly #ancestor: number;

  constructor(ancestor: number) {
    super('/proc');
    this.#ancestor = ancestor;
  }

  override pids(): readonly number[] {
    const found: number[] = [];
    const open = [this.#ancestor];
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      for (const thread of this.threads(pid)) {
        const children = this.read(pid, `task/${thread}/children`) ?? '';
        for (const child of children.split(' ')) {
          if (child === '') continue;
          found.push(Number(child));
          open.push(Number(child));
        }
      }
    }
    return found;
  }
}

const vanished = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR']);

function orNull<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && vanished.has(String(error.code))) return null;
    throw error;
  }
}
