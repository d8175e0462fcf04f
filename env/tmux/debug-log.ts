import { chmodSync, closeSync, fstatSync, openSync, readSync, statfsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BoundaryError } from '../errors.ts';
import { pause, type Sandbox } from '../sandbox/index.ts';
import type { LogEntry } from './log-entry.ts';
import { LogParser, type WindowPlace } from './log-parser.ts';
import type { TmuxServer } from './server.ts';

const sigusr2 = 12;
const openLimitMs = 5_000;
const maximumBytes = 48 << 20;
/** Less room than this beside the log means that somebody filled its folder, so that the server could not write. */
const leastFreeBytes = 1 << 20;

/**
 * The tmux server's debug log: the record that the agent cannot write, trim or read. Its file is unlinked once both
 * sides hold it open, and the server's descriptors cannot be reached by the agent. Texts of the agent stand in it with
 * newlines escaped, so a line's head is always the server's.
 */
export class DebugLog {
  readonly #descriptor: number;
  readonly #folder: string;
  readonly #parser: LogParser;
  #offset = 0;
  #rest = '';
  #closed = false;

  private constructor(descriptor: number, folder: string, windows: readonly WindowPlace[]) {
    this.#descriptor = descriptor;
    this.#folder = folder;
    this.#parser = new LogParser(windows);
  }

  /**
   * Switches the log on. To be called before the agent's first action. `windows` says where they are then. Throws a
   * BoundaryError where it stays off.
   */
  static async open(sandbox: Sandbox, server: TmuxServer, windows: readonly WindowPlace[]): Promise<DebugLog> {
    const name = join(sandbox.serverFolder, `tmux-server-${server.pid}.log`);
    sandbox.launcher.signal(server.pid, sigusr2);
    const deadline = performance.now() + openLimitMs;
    for (;;) {
      const descriptor = tryOpen(name);
      if (descriptor !== null) {
        unlinkSync(name);
        if (process.getuid?.() === 0) chmodSync(`${sandbox.serverFolder}/`, 0o755);
        return new DebugLog(descriptor, sandbox.serverFolder, windows);
      }
      if (performance.now() > deadline) {
        throw new BoundaryError('tmux', { code: 'E_DEBUG_LOG', what: 'Cannot open the debug log of the tmux server' });
      }
      await pause(1);
    }
  }

  /** The entries since the last call. */
  read(): readonly LogEntry[] {
    const { size, mtimeMs } = fstatSync(this.#descriptor);
    const { bavail, bsize } = statfsSync(this.#folder);
    if (size > maximumBytes || bavail * bsize < leastFreeBytes)
      return [{ type: 'flooded', us: Math.round(mtimeMs * 1_000) }];
    const chunk = Buffer.alloc(size - this.#offset);
    const got = readSync(this.#descriptor, chunk, 0, chunk.length, this.#offset);
    this.#offset += got;
    const lines = (this.#rest + chunk.toString('latin1', 0, got)).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#parser.push(line) ?? []);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#descriptor);
  }
}

function tryOpen(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
