import { Context, Dealer } from 'zeromq';
import { BoundaryError } from '../../env/index.ts';
import { RemoteError } from '../core/index.ts';
import { decodeRefusal } from '../protobuf/index.ts';

export interface ZeromqClientOptions {
  readonly address: string;
  /** @default none */
  readonly curve?: { readonly publicKey: string; readonly secretKey: string; readonly serverKey: string };
}

interface Waiting {
  readonly resolve: (payload: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Carries calls over one DEALER socket, any number at once. It sends no heartbeats and has no timeouts: for tests and
 * measurements; trainers use the Python client.
 */
export class ZeromqClient implements AsyncDisposable {
  readonly #socket: Dealer;
  readonly #waiting = new Map<string, Waiting>();
  readonly #loop: Promise<void>;
  #sending: Promise<void> = Promise.resolve();
  #calls = 0;

  constructor({ address, curve }: ZeromqClientOptions) {
    const keys =
      curve === undefined
        ? {}
        : { curvePublicKey: curve.publicKey, curveSecretKey: curve.secretKey, curveServerKey: curve.serverKey };
    this.#socket = new Dealer({ context: new Context(), ipv6: address.includes('['), linger: 0, ...keys });
    this.#socket.connect(address);
    this.#loop = this.#receiveAll();
  }

  /** A `Carry` of the protobuf room. */
  readonly carry = (method: string, payload: Uint8Array): Promise<Uint8Array> => {
    this.#calls += 1;
    const id = String(this.#calls);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#sending = this.#sending.then(() => this.#socket.send([id, method, payload])).catch(reject);
    });
  };

  /** Calls that still wait reject with `E_CLOSED`. Idempotent. */
  async close(): Promise<void> {
    this.#socket.close();
    await this.#loop;
    const closed = new BoundaryError('bridge', { code: 'E_CLOSED', what: 'The client was closed' });
    for (const { reject } of this.#waiting.values()) reject(closed);
    this.#waiting.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #receiveAll(): Promise<void> {
    for await (const [id, status, payload] of this.#socket) {
      const key = id?.toString('latin1') ?? '';
      const waiting = this.#waiting.get(key);
      this.#waiting.delete(key);
      if (waiting === undefined || payload === undefined) continue;
      if (status?.toString('latin1') === 'ok') waiting.resolve(payload);
      else waiting.reject(new RemoteError(decodeRefusal(payload)));
    }
  }
}
