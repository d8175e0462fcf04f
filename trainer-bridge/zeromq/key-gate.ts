import { type Context, Reply } from 'zeromq';
import { formatZ85 } from './z85.ts';

/**
 * Answers ZeroMQ's question who may connect (ZAP, RFC 27): clients that hold the secret of an allowed public key. It
 * must stand before the server socket of the same context binds, or CURVE lets every key in.
 */
export class KeyGate {
  readonly #socket: Reply;
  readonly #allowed: ReadonlySet<string>;

  private constructor(socket: Reply, allowed: ReadonlySet<string>) {
    this.#socket = socket;
    this.#allowed = allowed;
  }

  static async open(context: Context, allowed: ReadonlySet<string>): Promise<KeyGate> {
    const socket = new Reply({ context, linger: 0 });
    await socket.bind('inproc://zeromq.zap.01');
    const gate = new KeyGate(socket, allowed);
    void gate.#answerAll();
    return gate;
  }

  close(): void {
    this.#socket.close();
  }

  async #answerAll(): Promise<void> {
    for await (const frames of this.#socket) {
      const [version = '1.0', request = ''] = frames;
      const allowed = this.#admits(frames);
      const status = allowed ? ['200', 'OK', 'client', ''] : ['400', 'unknown key', '', ''];
      await this.#socket.send([version, request, ...status]);
    }
  }

  /** Frames: version, request id, domain, address, identity, mechanism, the client's public key as 32 bytes. */
  #admits(frames: readonly Buffer[]): boolean {
    const mechanism = frames[5]?.toString('latin1');
    const key = frames[6];
    return mechanism === 'CURVE' && key?.length === 32 && this.#allowed.has(formatZ85(key));
  }
}
