import { InputError } from '../../env/index.ts';
import type { BridgeService, EventService } from '../core/index.ts';
import { decodeEventsRequest, encodeNotice } from './event-codec.ts';
import { codecs, type MethodCodec, type MethodName } from './method-codec.ts';
import { type MethodTypes, methodTypes, serviceName } from './schema.ts';
import { checkMessage } from './strict-check.ts';

/** A call that can be called off under a name. */
interface Cancellable {
  readonly client: string;
  readonly request: string;
}

/** Registers what to do when the caller goes away before its answer. */
export type WhenGone = (cancel: () => void) => void;

/** Where the messages of a stream go. */
export interface MessageSink {
  readonly send: (message: Uint8Array) => void;
  /** Aborts when nobody listens any more. */
  readonly signal: AbortSignal;
}

/** From bytes to bytes: what both transports do between receiving and sending. */
export class Dispatcher {
  readonly #core: BridgeService & EventService;
  readonly #maxBytes: number;
  #unnamed = 0;

  /** `maxBytes` bounds a message in both directions. */
  constructor(core: BridgeService & EventService, maxBytes: number) {
    this.#core = core;
    this.#maxBytes = maxBytes;
  }

  /**
   * Rejects with `E_METHOD`, `E_PROTOCOL`, `E_SIZE`, `E_PROTOBUF` or what the core refuses. `whenGone` is given what to
   * do once nobody waits any more: a request without a name is cancelled then, a named one goes on for a repeat.
   */
  async handle(name: string, payload: Uint8Array, whenGone?: WhenGone): Promise<Uint8Array> {
    const method = methods.get(name);
    if (method === undefined) throw unknownMethod(name);
    const { codec, types } = method;
    this.#bound(`${name} request`, payload);
    checkMessage(types.request, payload);
    const request = codec.requestFromWire(types.request.decode(payload));
    const reply = await codec.call(this.#core, whenGone === undefined ? request : this.#bind(request, whenGone));
    const bytes = types.reply.encode(codec.replyToWire(reply)).finish();
    this.#bound(`${name} reply`, bytes);
    return bytes;
  }

  /** Sends each event of an episode as an `EventNotice` until it ends. Rejects as `handle` does. */
  async streamEvents(payload: Uint8Array, { send, signal }: MessageSink): Promise<void> {
    this.#bound('Events request', payload);
    const request = decodeEventsRequest(payload);
    await this.#core.events(request, { tell: (notice) => send(encodeNotice(notice)), signal });
  }

  #bound(where: string, { length }: Uint8Array): void {
    if (length > this.#maxBytes) throw tooLarge(where, length, this.#maxBytes);
  }

  #bind(request: unknown, whenGone: WhenGone): unknown {
    if (!isUnnamed(request)) return request;
    this.#unnamed += 1;
    const named = { ...request, request: `unnamed-call-${this.#unnamed}` };
    // A client without a lease has nothing left to cancel.
    whenGone(() => void this.#core.cancel(named).catch(() => undefined));
    return named;
  }
}

type AnyCodec = MethodCodec<unknown, unknown, unknown, unknown>;

/** Names, types and conversions, joined once. */
const methods: ReadonlyMap<string, { readonly codec: AnyCodec; readonly types: MethodTypes }> = new Map(
  Object.entries(codecs).map(([name, codec]) => {
    const types = methodTypes.get(name);
    if (types === undefined) throw new Error(`Cannot find method ${name} in gym.proto`);
    // The types of a codec's two sides agree with each other; which ones they are does not matter here.
    return [name, { codec: codec as unknown as AnyCodec, types }];
  }),
);

/** The codec and message types of a method that exists. */
export function lookupMethod(name: MethodName): { readonly codec: AnyCodec; readonly types: MethodTypes } {
  const method = methods.get(name);
  if (method === undefined) throw unknownMethod(name);
  return method;
}

function isUnnamed(request: unknown): request is Cancellable {
  return typeof request === 'object' && request !== null && 'request' in request && request.request === '';
}

function unknownMethod(name: string): InputError {
  const otherVersion = /^muxgym\.v\d+\./.test(name) && !name.startsWith(`${serviceName.slice(0, -4)}.`);
  return new InputError({
    code: otherVersion ? 'E_PROTOCOL' : 'E_METHOD',
    what: otherVersion ? 'Cannot serve another protocol version' : 'Cannot find the method',
    where: 'method',
    expected: [...methods.keys()].join(', '),
    found: JSON.stringify(name.slice(0, 64)),
    ...(methodTypes.get(name)?.streamed === true ? { hint: 'streams need gRPC; without it, see ActReply.pushed' } : {}),
  });
}

function tooLarge(where: string, found: number, limit: number): InputError {
  return new InputError({
    code: 'E_SIZE',
    what: 'Cannot carry a message that large',
    where,
    expected: `at most ${limit} bytes`,
    found: `${found} bytes`,
    hint: 'send fewer jobs in one call',
  });
}
