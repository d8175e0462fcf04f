import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { BoundaryError } from '../../env/index.ts';
import { type FinishedEpisode, makeServedRecord } from './finished-episode.ts';

interface Entry {
  readonly episode: FinishedEpisode;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends finished episodes to `episodes.jsonl` and their traces to `traces.jsonl` in one folder. Episodes that finish
 * together share one sync. A line is whole or absent: what a failed write left is cut off again.
 */
export class EpisodeJournal implements AsyncDisposable {
  readonly #split: string | null;
  readonly #episodes: AppendedFile;
  readonly #traces: AppendedFile;
  #waiting: Entry[] = [];
  #writing: Promise<void> | null = null;

  private constructor(split: string | null, episodes: AppendedFile, traces: AppendedFile) {
    this.#split = split;
    this.#episodes = episodes;
    this.#traces = traces;
  }

  /** Makes the folder where it is missing. A torn last line of a crash is cut off. `split` goes into every record. */
  static async open(folder: string, split: string | null): Promise<EpisodeJournal> {
    await mkdir(folder, { recursive: true });
    const episodes = await AppendedFile.open(join(folder, 'episodes.jsonl'));
    const traces = await AppendedFile.open(join(folder, 'traces.jsonl'));
    await syncFolder(folder);
    return new EpisodeJournal(split, episodes, traces);
  }

  /** Resolves once the episode is on the disk; rejects with `E_JOURNAL` where it could not be written. */
  append(episode: FinishedEpisode): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ episode, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await Promise.all([this.#episodes.close(), this.#traces.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#writeBatch(batch.map(({ episode }) => episode));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(cannotWrite(error));
      }
    }
    this.#writing = null;
  }

  /** Traces first, so that no record points at one that is missing. */
  async #writeBatch(episodes: readonly FinishedEpisode[]): Promise<void> {
    const traces: string[] = [];
    const records: string[] = [];
    let offset = this.#traces.size;
    for (const episode of episodes) {
      const trace = episode.trace.map((line) => `${JSON.stringify(line)}\n`).join('');
      records.push(`${JSON.stringify(makeServedRecord(episode, this.#split, `traces.jsonl#${offset}`))}\n`);
      traces.push(trace);
      offset += Buffer.byteLength(trace);
    }
    await this.#traces.append(traces.join(''));
    await this.#episodes.append(records.join(''));
  }
}

/** A file that only grows by whole, synced writes. */
class AppendedFile {
  readonly #file: FileHandle;
  #size: number;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  static async open(path: string): Promise<AppendedFile> {
    const file = await open(path, 'a+', 0o644);
    const size = await wholeLines(file);
    await file.truncate(size);
    return new AppendedFile(file, size);
  }

  /** Bytes of whole lines. */
  get size(): number {
    return this.#size;
  }

  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    try {
      await this.#file.appendFile(bytes);
      await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(this.#size);
      throw error;
    }
    this.#size += bytes.length;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** The length of a file up to its last line feed. */
async function wholeLines(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const block = Buffer.alloc(65_536);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const at = block.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function cannotWrite(cause: unknown): BoundaryError {
  return new BoundaryError('bridge', {
    code: 'E_JOURNAL',
    what: 'Cannot write the record of an episode; its grade is not lost',
    where: 'episodes.jsonl',
    found: cause instanceof Error ? cause.message : String(cause),
    hint: 'make space and ask for the grade again',
    cause,
  });
}
