/** The one thing that a reply needs of a ROUTER socket. */
export interface ReplySocket {
  send(frames: (Uint8Array | string)[]): Promise<void>;
}

/** One client's connection, by its routing id. */
export interface Peer {
  readonly id: string;
  /** Requests that have no reply yet. */
  inFlight: number;
  /** Replies that its connection did not take yet, oldest first. */
  readonly backlog: (Uint8Array | string)[][];
}

interface Letter {
  readonly peer: Peer;
  readonly frames: (Uint8Array | string)[];
}

/** Replies kept for a client that does not read; the oldest are dropped then, and a repeat of the call gets them again. */
const keptReplies = 1_024;
const firstRetryMs = 5;
const lastRetryMs = 250;

/**
 * Sends replies over one socket, one at a time. A client that does not read only fills its own backlog; one that went
 * away loses its replies. Never rejects, never blocks.
 */
export class ReplyQueue {
  readonly #socket: ReplySocket;
  readonly #onIdle: (peer: Peer) => void;
  #letters: Letter[] = [];
  #sending = false;
  readonly #slow = new Set<Peer>();
  #retry: NodeJS.Timeout | null = null;
  #retryMs = firstRetryMs;
  #closed = false;
  /** Replies that reached nobody. */
  dropped = 0;

  /** The socket must refuse at once (EAGAIN, EHOSTUNREACH) what it cannot send. `onIdle` is told when a backlog is empty. */
  constructor(socket: ReplySocket, onIdle: (peer: Peer) => void) {
    this.#socket = socket;
    this.#onIdle = onIdle;
  }

  send(peer: Peer, frames: (Uint8Array | string)[]): void {
    if (peer.backlog.length > 0) {
      this.#keep(peer, frames);
      return;
    }
    this.#letters.push({ peer, frames });
    if (!this.#sending) void this.#sendAll();
  }

  /** What is not sent yet is dropped. */
  close(): void {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    for (const peer of this.#slow) this.dropped += peer.backlog.length;
    this.#slow.clear();
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    while (this.#letters.length > 0) {
      const letters = this.#letters;
      this.#letters = [];
      for (const letter of letters) {
        if (!(await this.#sendOne(letter.peer, letter.frames))) this.#keep(letter.peer, letter.frames);
      }
    }
    this.#sending = false;
  }

  /** False where the client's connection is full. */
  async #sendOne(peer: Peer, frames: (Uint8Array | string)[]): Promise<boolean> {
    try {
      await this.#socket.send(frames);
    } catch (error) {
      if (!this.#closed && error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false;
      this.dropped += 1; // EHOSTUNREACH: the client went away
    }
    this.#onIdle(peer);
    return true;
  }

  #keep(peer: Peer, frames: (Uint8Array | string)[]): void {
    peer.backlog.push(frames);
    if (peer.backlog.length > keptReplies) {
      peer.backlog.shift();
      this.dropped += 1;
    }
    this.#slow.add(peer);
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#retry !== null || this.#closed) return;
    this.#retry = setTimeout(() => void this.#retryAll(), this.#retryMs);
    this.#retry.unref();
  }

  async #retryAll(): Promise<void> {
    let sent = 0;
    for (const peer of [...this.#slow]) sent += await this.#empty(peer);
    this.#retry = null;
    this.#retryMs = sent > 0 ? firstRetryMs : Math.min(lastRetryMs, this.#retryMs * 2);
    if (this.#slow.size > 0) this.#retryLater();
  }

  async #empty(peer: Peer): Promise<number> {
    let sent = 0;
    for (let frames = peer.backlog[0]; frames !== undefined && !this.#closed; frames = peer.backlog[0]) {
      if (!(await this.#sendOne(peer, frames))) return sent;
      peer.backlog.shift();
      sent += 1;
    }
    this.#slow.delete(peer);
    this.#onIdle(peer);
    return sent;
  }
}
