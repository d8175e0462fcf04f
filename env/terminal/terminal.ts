import { closeSync, readSync } from 'node:fs';
import type { Sandbox } from '../sandbox/index.ts';

const mostRead = 65_536;
const readBuffer = Buffer.alloc(mostRead);

export type Written =
  | { readonly type: 'written' }
  /** The terminal takes no more now (C-s, a stopped server, a full buffer); try again when settled. */
  | { readonly type: 'blocked' }
  /** The terminal is gone or broken, by the agent's doing. */
  | { readonly type: 'failed'; readonly code: string };

/** A pane's terminal, held open from outside. It never blocks: a blocking descriptor would stop the whole gym. */
export class Terminal {
  readonly #descriptor: number;
  readonly #sandbox: Pick<Sandbox, 'writeTerminal'>;
  #queue = Buffer.alloc(0);
  #closed = false;

  constructor(descriptor: number, sandbox: Pick<Sandbox, 'writeTerminal'>) {
    this.#descriptor = descriptor;
    this.#sandbox = sandbox;
  }

  /** Queues text and writes what the terminal takes; the rest waits for flush(). */
  write(text: string): Written {
    this.#queue = Buffer.concat([this.#queue, Buffer.from(text)]);
    return this.flush();
  }

  flush(): Written {
    while (this.#queue.length > 0) {
      try {
        this.#queue = this.#queue.subarray(this.#sandbox.writeTerminal(this.#descriptor, this.#queue));
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : null;
        if (code === null) throw error;
        return code === 'EAGAIN' ? { type: 'blocked' } : { type: 'failed', code };
      }
    }
    return { type: 'written' };
  }

  /**
   * What was typed into the pane since the last call and nobody read; at most 64 KiB. A read gives one line, and
   * nothing at a C-d.
   */
  read(): string {
    let size = 0;
    while (size < mostRead) {
      const got = this.#readOnce(size);
      if (got === 0) break;
      size += got;
    }
    return readBuffer.toString('utf8', 0, size);
  }

  #readOnce(offset: number): number {
    try {
      return readSync(this.#descriptor, readBuffer, offset, mostRead - offset, null);
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EIO')) return 0;
      throw error;
    }
  }

  /** Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#descriptor);
  }
}
