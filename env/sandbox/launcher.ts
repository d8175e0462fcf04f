import type { Readable, Writable } from 'node:stream';
import { makeDeferred } from './deferred.ts';
import { FrameReader, formatFrame } from './frame.ts';

export interface LaunchOptions {
  readonly argv: readonly string[];
  /** Standard input. @default empty */
  readonly input?: string | Buffer;
  /** Bytes of output to keep; the rest is counted. @default 1 MiB */
  readonly outputLimit?: number;
}

export interface Exit {
  /** Exit code, or 128 + n after signal n, as a shell counts. */
  readonly code: number;
  readonly output: Buffer;
  readonly cutBytes: number;
}

/** A command that was started in the sandbox. */
export interface Launched {
  /** Its pid inside the sandbox; resolves once it runs. Rejects with LauncherGone. */
  readonly started: Promise<number>;
  /** Resolves when it exited and its output is drained. Rejects with LauncherGone. */
  readonly exited: Promise<Exit>;
  /** The output so far. */
  output(): Buffer;
  /** SIGKILL for its whole session. */
  kill(): void;
}

/** The launcher ended while something waited for it; who ended it is for the caller to judge. */
export class LauncherGone extends Error {
  override readonly name = 'LauncherGone';
  readonly code = 'E_LAUNCHER_GONE';
}

/** A command with this argument is given the held socket under this path (native/launcher.c). */
export const heldSocket = '/proc/self/fd/200';

/** Least length of each frame's payload. */
const frameLengths: Readonly<Record<string, number>> = { H: 4, S: 8, O: 4, X: 16 };

interface Pending {
  readonly onStarted: (pid: number) => void;
  readonly onExited: (exit: Exit) => void;
  readonly onGone: (error: LauncherGone) => void;
  readonly chunks: Buffer[];
  kept: number;
}

/** The gym's end of the resident launcher (native/launcher.c). */
export class Launcher {
  readonly #input: Writable;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #received = 0;
  #gone: LauncherGone | null = null;
  readonly #ready = makeDeferred<number>();

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    const reader = new FrameReader((type, payload) => this.#handle(type, payload));
    output.on('data', (chunk: Buffer) => {
      this.#received += chunk.length;
      reader.push(chunk);
    });
    output.on('close', () => this.#end());
    input.on('error', () => this.#end());
  }

  /** Resolves with the launcher's pid inside the sandbox once it listens. */
  get ready(): Promise<number> {
    return this.#ready.promise;
  }

  /** Bytes heard from the launcher so far; a change means that something moved. */
  get received(): number {
    return this.#received;
  }

  /** Throws LauncherGone once it has ended. */
  requireAlive(): void {
    if (this.#gone !== null) throw this.#gone;
  }

  run(options: LaunchOptions): Launched {
    const id = this.#nextId++;
    const started = makeDeferred<number>();
    const exited = makeDeferred<Exit>();
    const pending: Pending = {
      onStarted: started.resolve,
      onExited: exited.resolve,
      onGone: (error) => {
        started.reject(error);
        exited.reject(error);
      },
      chunks: [],
      kept: 0,
    };
    if (this.#gone === null) {
      this.#pending.set(id, pending);
      this.#send('R', formatRun(id, options));
    } else {
      pending.onGone(this.#gone);
    }
    return {
      started: started.promise,
      exited: exited.promise,
      output: () => Buffer.concat(pending.chunks),
      kill: () => this.#send('K', word(id)),
    };
  }

  /** Sends a signal to a process of the sandbox, by its pid inside, with the agent's rights. */
  signal(pid: number, signal: number): void {
    this.#send('G', word(pid), word(signal));
  }

  /**
   * Holds tmux's default socket as it is now. `tmux -S heldSocket` then reaches the server that listens there, whatever
   * becomes of the name. Call it once that server runs, and before the agent acts.
   */
  holdSocket(): void {
    this.#send('T');
  }

  #send(type: string, ...parts: readonly Buffer[]): void {
    if (this.#gone === null) this.#input.write(formatFrame(type, parts));
  }

  #handle(type: string, payload: Buffer): void {
    const length = frameLengths[type];
    if (length === undefined || payload.length < length) {
      this.#distrust();
      return;
    }
    const id = payload.readUInt32LE(0);
    if (type === 'H') this.#ready.resolve(id);
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (type === 'S') pending.onStarted(payload.readUInt32LE(4));
    else if (type === 'O') this.#keep(pending, payload.subarray(4));
    else if (type === 'X') this.#finish(id, pending, payload);
  }

  #keep(pending: Pending, bytes: Buffer): void {
    pending.chunks.push(bytes);
    pending.kept += bytes.length;
  }

  #finish(id: number, pending: Pending, payload: Buffer): void {
    this.#pending.delete(id);
    pending.onExited({
      code: shellCode(payload.readUInt32LE(4)),
      output: Buffer.concat(pending.chunks),
      cutBytes: Number(payload.readBigUInt64LE(8)) - pending.kept,
    });
  }

  /** Only something that took over the launcher's pipe sends another frame. Without its input the launcher ends. */
  #distrust(): void {
    this.#input.destroy();
    this.#end();
  }

  #end(): void {
    if (this.#gone !== null) return;
    const gone = new LauncherGone('Cannot reach the launcher: it has ended');
    this.#gone = gone;
    this.#ready.reject(gone);
    for (const pending of this.#pending.values()) pending.onGone(gone);
    this.#pending.clear();
  }
}

function formatRun(id: number, { argv, input = '', outputLimit = 1 << 20 }: LaunchOptions): Buffer {
  const strings = argv.map((argument) => Buffer.from(`${argument.replaceAll('\0', '')}\0`));
  return Buffer.concat([word(id), word(outputLimit), word(argv.length), ...strings, Buffer.from(input)]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A wait status as a shell shows it. */
function shellCode(status: number): number {
  const signal = status & 0x7f;
  return signal === 0 ? (status >> 8) & 0xff : 128 + signal;
}
