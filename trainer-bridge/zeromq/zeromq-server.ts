import { Context, Router } from 'zeromq';
import { InputError } from '../../env/index.ts';
import { cannotBind, formatHostPort, isLoopback, parseHostPort, refuseOpenAddress } from '../address/index.ts';
import { BusyError, toRefusal } from '../core/index.ts';
import { type Dispatcher, encodeRefusal } from '../protobuf/index.ts';
import type { CurveServerKeys } from './curve-keys.ts';
import { KeyGate } from './key-gate.ts';
import { type Peer, ReplyQueue } from './reply-queue.ts';

export interface ZeromqServerOptions {
  readonly dispatcher: Dispatcher;
  /** `tcp://HOST:PORT` with port 0 for a free one, or `ipc://PATH`. */
  readonly address: string;
  /** Bytes of one message, as the dispatcher bounds it; a connection that sends twice as much is cut. */
  readonly maxMessageBytes: number;
  /** @default none; needed beyond loopback */
  readonly curve?: CurveServerKeys | null;
  /** Replies that a connection holds before they wait in the server. @default 1000 */
  readonly sendHighWaterMark?: number;
}

const maxRequestIdBytes = 64;
/** Requests of one client without a reply; more is `E_BUSY`. */
const maxInFlight = 1_024;

/** Made once: a string costs more to send than a buffer. */
const statusFrames = { ok: Buffer.from('ok'), error: Buffer.from('error') };

/** A ROUTER socket in front of a dispatcher. The framing is in README.md. */
export class ZeromqServer implements AsyncDisposable {
  /** With the port that was picked. */
  readonly address: string;
  readonly #socket: Router;
  readonly #gate: KeyGate | null;
  readonly #dispatcher: Dispatcher;
  readonly #queue: ReplyQueue;
  readonly #peers = new Map<string, Peer>();
  #loop: Promise<void> = Promise.resolve();
  #inFlight = 0;
  #whenAnswered: (() => void) | null = null;
  #closing = false;
  /** Messages without a request id, to which no answer can be addressed, and those that came during close(). */
  ignored = 0;

  private constructor(socket: Router, gate: KeyGate | null, dispatcher: Dispatcher) {
    this.#socket = socket;
    this.#gate = gate;
    this.#dispatcher = dispatcher;
    this.#queue = new ReplyQueue(socket, (peer) => this.#forgetIdle(peer));
    this.address = socket.lastEndpoint ?? '';
  }

  /** Binds and begins to answer. Throws `E_BIND` for an open address without keys, or one that is taken. */
  static async start(options: ZeromqServerOptions): Promise<ZeromqServer> {
    const { address, curve = null } = options;
    const endpoint = checkAddress(address, curve !== null);
    const context = new Context();
    const gate = curve === null ? null : await KeyGate.open(context, curve.allowed);
    const socket = makeSocket(context, options);
    try {
      await socket.bind(endpoint);
    } catch (error) {
      socket.close();
      gate?.close();
      throw cannotBind(address, error);
    }
    const server = new ZeromqServer(socket, gate, options.dispatcher);
    server.#loop = server.#receiveAll();
    return server;
  }

  /** Replies that reached nobody: the client went away, or did not read. */
  get dropped(): number {
    return this.#queue.dropped;
  }

  /** Answers what was asked, then closes the socket. The core must be drained or closed first. Idempotent. */
  async close(): Promise<void> {
    if (this.#socket.closed) return;
    this.#closing = true;
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#whenAnswered = resolve));
    this.#queue.close();
    this.#socket.close();
    this.#gate?.close();
    await this.#loop;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #receiveAll(): Promise<void> {
    for await (const frames of this.#socket) this.#take(frames);
  }

  #take(frames: readonly Buffer[]): void {
    const [identity, requestId, method, payload] = frames;
    if (this.#closing || identity === undefined || requestId === undefined) {
      this.ignored += 1;
      return;
    }
    const peer = this.#peer(identity);
    const answer = (status: 'ok' | 'error', body: Uint8Array) => {
      this.#queue.send(peer, [identity, requestId.subarray(0, maxRequestIdBytes), statusFrames[status], body]);
    };
    const refusal = this.#refuse(peer, requestId, method, payload);
    if (refusal !== null) answer('error', encodeRefusal(toRefusal(refusal)));
    else void this.#answer(peer, answer, [method?.toString('latin1') ?? '', payload ?? Buffer.alloc(0)]);
  }

  #refuse(peer: Peer, requestId: Buffer, method: Buffer | undefined, payload: Buffer | undefined): Error | null {
    if (requestId.length < 1 || requestId.length > maxRequestIdBytes) {
      return badFrame(`a request id of 1 to ${maxRequestIdBytes} bytes`, `${requestId.length} bytes`);
    }
    if (method === undefined || payload === undefined) {
      const found = method === undefined ? '1 frame' : '2 frames';
      return badFrame('the frames request id, method, payload', found);
    }
    if (peer.inFlight < maxInFlight) return null;
    return new BusyError(
      { code: 'E_BUSY', what: `Cannot take more than ${maxInFlight} calls of a client at once` },
      50,
    );
  }

  async #answer(
    peer: Peer,
    answer: (status: 'ok' | 'error', body: Uint8Array) => void,
    [method, payload]: readonly [string, Uint8Array],
  ): Promise<void> {
    peer.inFlight += 1;
    this.#inFlight += 1;
    try {
      answer('ok', await this.#dispatcher.handle(method, payload));
    } catch (error) {
      answer('error', encodeRefusal(toRefusal(error)));
    }
    peer.inFlight -= 1;
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#whenAnswered?.();
  }

  #peer(identity: Buffer): Peer {
    const id = identity.toString('latin1');
    const known = this.#peers.get(id);
    if (known !== undefined) return known;
    const peer: Peer = { id, inFlight: 0, backlog: [] };
    this.#peers.set(id, peer);
    return peer;
  }

  #forgetIdle(peer: Peer): void {
    if (peer.inFlight === 0 && peer.backlog.length === 0) this.#peers.delete(peer.id);
  }
}

function makeSocket(context: Context, options: ZeromqServerOptions): Router {
  const { address, maxMessageBytes, curve = null, sendHighWaterMark = 1_000 } = options;
  return new Router({
    context,
    ipv6: address.includes('['),
    mandatory: true, // a reply that cannot be routed is an error that we count, not a silence
    handover: true, // a client that reconnects under its routing id takes its place back
    sendTimeout: 0, // a full connection is refused at once, so that it blocks nobody else
    sendHighWaterMark,
    maxMessageSize: 2 * maxMessageBytes,
    linger: 1_000,
    ...(curve === null ? {} : { curveServer: true, curveSecretKey: curve.secretKey, zapDomain: 'muxgym' }),
  });
}

/** The endpoint as libzmq takes it. */
function checkAddress(address: string, encrypted: boolean): string {
  if (address.startsWith('ipc://')) return address;
  if (!address.startsWith('tcp://')) {
    const found = JSON.stringify(address);
    throw new InputError({
      code: 'E_BIND',
      what: 'Cannot read the address',
      expected: 'tcp://HOST:PORT or ipc://PATH',
      found,
    });
  }
  const { host, port } = parseHostPort(address.slice('tcp://'.length));
  if (!encrypted && !isLoopback(host)) throw refuseOpenAddress(address, '--curve-keys FILE --allow FILE');
  const numeric = host === 'localhost' ? '127.0.0.1' : host;
  return `tcp://${formatHostPort({ host: numeric, port })}`.replace(/:0$/, ':*');
}

function badFrame(expected: string, found: string): InputError {
  return new InputError({
    code: 'E_FRAME',
    what: 'Cannot read the frames of the request',
    where: 'frames',
    expected,
    found,
    hint: 'the framing is in trainer-bridge/zeromq/README.md',
  });
}
