/** u32 length of the payload, u8 type, payload; little-endian. */
export function formatFrame(type: string, parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

/** Longer than any frame that the launcher sends: its output comes in chunks of 64 KiB. */
const maximumLength = 1 << 20;

/** Cuts a byte stream into frames, whatever the chunks are. Payloads are copies. An overlong one has type `!`. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  readonly #onFrame: (type: string, payload: Buffer) => void;

  constructor(onFrame: (type: string, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (data.length >= 5) {
      const end = 5 + data.readUInt32LE(0);
      if (end > maximumLength) {
        this.#onFrame('!', Buffer.alloc(0));
        return;
      }
      if (data.length < end) break;
      this.#onFrame(data.toString('latin1', 4, 5), Buffer.from(data.subarray(5, end)));
      data = data.subarray(end);
    }
    this.#rest = Buffer.from(data);
  }
}
