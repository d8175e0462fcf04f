import { type FileHandle, open } from 'node:fs/promises';

interface Pending {
  readonly bytes: Buffer;
  readonly resolve: (offset: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A file of lines that grows at its end. An append counts once its line is on the disk; appends that wait together
 * share one write and one sync. After a failed write every later append fails too.
 */
export class DurableLog implements AsyncDisposable {
  readonly #file: FileHandle;
  #size: number;
  #pending: Pending[] = [];
  #flushing: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** Opens or makes the file, and cuts off a last line that has no end: a crash tore it. */
  static async open(path: string): Promise<DurableLog> {
    const file = await open(path, 'a+');
    try {
      const { size } = await file.stat();
      const whole = await findLastLineEnd(file, size);
      if (whole !== size) {
        await file.truncate(whole);
        await file.sync();
      }
      return new DurableLog(file, whole);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Returns the byte offset of the line, once it is durable. `line` holds no line feed. */
  append(line: string): Promise<number> {
    const bytes = Buffer.from(`${line}\n`);
    return new Promise((resolve, reject) => {
      this.#pending.push({ bytes, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  /** After the appends that were begun. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flushing;
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      await this.#writeBatch(batch);
    }
    this.#flushing = null;
  }

  async #writeBatch(batch: readonly Pending[]): Promise<void> {
    try {
      if (this.#failure !== null) throw this.#failure.error;
      await this.#file.appendFile(Buffer.concat(batch.map(({ bytes }) => bytes)));
      await this.#file.datasync();
    } catch (error) {
      this.#failure ??= { error };
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { bytes, resolve } of batch) {
      resolve(this.#size);
      this.#size += bytes.length;
    }
  }
}

/** The offset after the last line feed, read backwards. */
async function findLastLineEnd(file: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(65_536);
  for (let end = size; end > 0; ) {
    const begin = Math.max(0, end - chunk.length);
    const { bytesRead } = await file.read(chunk, 0, end - begin, begin);
    const at = chunk.subarray(0, bytesRead).lastIndexOf(10);
    if (at !== -1) return begin + at + 1;
    end = begin;
  }
  return 0;
}
