import { chmodSync, closeSync, fstatSync, openSync, readSync, statfsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BoundaryError } from '../errors.ts';
import { pause, type Sandbox } from '../sandbox/index.ts';
import { type PaneId, parsePaneId } from './id.ts';
import type { TmuxServer } from './server.ts';

/** What the server's own record says; `us` is microseconds since 1970 on the machine's clock. */
export type LogEntry =
  /** A program was started in an existing pane: `respawn-pane`, or the first pane of `respawn-window`. */
  | { readonly type: 'respawn'; readonly us: number; readonly pane: PaneId; readonly argv: readonly string[] }
  /** The server read and parsed what was written on a pane's terminal. */
  | { readonly type: 'consumed'; readonly us: number; readonly pane: PaneId; readonly bytes: number }
  /** The log was switched off, which the gym never does. */
  | { readonly type: 'closed'; readonly us: number }
  /** The log outgrew its bound, or its folder was filled; nothing is read from it any more. */
  | { readonly type: 'flooded'; readonly us: number };

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
  readonly #parser = new LogParser();
  #offset = 0;
  #rest = '';
  #closed = false;

  private constructor(descriptor: number, folder: string) {
    this.#descriptor = descriptor;
    this.#folder = folder;
  }

  /** Switches the log on. To be called before the agent's first action. Throws a BoundaryError where it stays off. */
  static async open(sandbox: Sandbox, server: TmuxServer): Promise<DebugLog> {
    const name = join(sandbox.serverFolder, `tmux-server-${server.pid}.log`);
    sandbox.launcher.signal(server.pid, sigusr2);
    const deadline = performance.now() + openLimitMs;
    for (;;) {
      const descriptor = tryOpen(name);
      if (descriptor !== null) {
        unlinkSync(name);
        if (process.getuid?.() === 0) chmodSync(`${sandbox.serverFolder}/`, 0o755);
        return new DebugLog(descriptor, sandbox.serverFolder);
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

/**
 * Reads lines of tmux 3.3a and later. A start of a program is several lines: `spawn_pane: [`, then `s=… wp0=%1` (or
 * `wp0=none` for a new pane), then one `argv[n]=` for each argument, then the environment.
 */
export class LogParser {
  #pane: PaneId | null = null;
  #argv: string[] = [];

  push(line: string): LogEntry | null {
    const [, seconds, micros, text] = /^(\d+)\.(\d{6}) (.*)$/.exec(line) ?? [];
    if (text === undefined) return null;
    const us = Number(seconds) * 1_000_000 + Number(micros);
    if (text === 'log closed') return { type: 'closed', us };
    const [, pane, bytes] = /^input_parse_buffer: (%\d+) \S+, (\d+) bytes: /.exec(text) ?? [];
    if (pane !== undefined) return { type: 'consumed', us, pane: parsePaneId(pane), bytes: Number(bytes) };
    if (text.startsWith('spawn_pane: ')) return this.#pushSpawn(text.slice('spawn_pane: '.length), us);
    return null;
  }

  #pushSpawn(text: string, us: number): LogEntry | null {
    const pane = /^s=\$\d+ wl=\d+ wp0=(%\d+|none) /.exec(text)?.[1];
    if (pane !== undefined) {
      this.#pane = pane === 'none' ? null : parsePaneId(pane);
      this.#argv = [];
      return null;
    }
    const argument = /^argv\[\d+\]=(.*)$/.exec(text)?.[1];
    if (argument !== undefined) this.#argv.push(argument);
    if (!text.startsWith('environment ') || this.#pane === null) return null;
    const entry = { type: 'respawn', us, pane: this.#pane, argv: this.#argv } as const;
    this.#pane = null;
    return entry;
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
