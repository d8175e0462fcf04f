import { InputError } from '../../env/index.ts';

interface Entry {
  readonly fingerprint: string;
  readonly controller: AbortController;
  reply: Promise<unknown>;
  settled: boolean;
}

/** Answers kept for repeats, at most. */
const keptReplies = 32;

/**
 * The requests of one client by idempotency key. A repeat gets the first one's promise; a failure is forgotten, so that
 * the same key may try again.
 */
export class RequestMemory {
  readonly #entries = new Map<string | symbol, Entry>();

  /** Throws `E_REQUEST` where the key was used for something else, which `fingerprint` tells. An empty key is never kept. */
  run<Reply>(key: string, fingerprint: string, start: (signal: AbortSignal) => Promise<Reply>): Promise<Reply> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      if (known.fingerprint !== fingerprint) throw usedTwice(key);
      // The fingerprint names the call, and a call has one type of reply.
      return known.reply as Promise<Reply>;
    }
    return this.#begin(key === '' ? Symbol('unnamed') : key, fingerprint, start);
  }

  /** Aborts one request, running or done, and forgets it; false where the key is unknown. */
  cancel(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    entry.controller.abort();
    return true;
  }

  /** Aborts whatever still runs. */
  abortAll(): void {
    for (const entry of this.#entries.values()) entry.controller.abort();
    this.#entries.clear();
  }

  #begin<Reply>(
    key: string | symbol,
    fingerprint: string,
    start: (signal: AbortSignal) => Promise<Reply>,
  ): Promise<Reply> {
    const controller = new AbortController();
    const reply = start(controller.signal);
    const entry: Entry = { fingerprint, controller, reply, settled: false };
    this.#entries.set(key, entry);
    reply.then(
      () => this.#settle(key, entry),
      () => this.#forget(key, entry),
    );
    return reply;
  }

  #settle(key: string | symbol, entry: Entry): void {
    entry.settled = true;
    if (typeof key === 'symbol') this.#forget(key, entry);
    const settled = [...this.#entries].filter(([, each]) => each.settled);
    for (const [old] of settled.slice(0, Math.max(0, settled.length - keptReplies))) this.#entries.delete(old);
  }

  #forget(key: string | symbol, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

function usedTwice(key: string): InputError {
  return new InputError({
    code: 'E_REQUEST',
    what: 'Cannot use a request key for two different requests',
    where: 'request',
    expected: 'a repeat of the first request, or a new key',
    found: JSON.stringify(key),
  });
}
