import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  Server,
  type ServerErrorResponse,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { cannotBind, formatHostPort, isLoopback, parseHostPort, refuseOpenAddress } from '../address/index.ts';
import { toRefusal } from '../core/index.ts';
import {
  type Dispatcher,
  encodeRefusal,
  eventsMethod,
  methodTypes,
  protoFile,
  protoFolder,
  serviceName,
} from '../protobuf/index.ts';
import { statusOf } from './status-of.ts';
import { makeCredentials, type TlsFiles } from './tls-files.ts';

export interface GrpcServerOptions {
  readonly dispatcher: Dispatcher;
  /** `HOST:PORT`, port 0 for a free one. */
  readonly address: string;
  /** Bytes of one message in both directions; more is RESOURCE_EXHAUSTED for that call only. */
  readonly maxMessageBytes: number;
  /** @default none; needed beyond loopback */
  readonly tls?: TlsFiles | null;
}

/** The trailing metadata key under which the `Error` message of gym.proto travels. */
export const errorKey = 'muxgym-error-bin';

/** `muxgym.v1.Gym`, `grpc.health.v1.Health` and reflection in front of a dispatcher. */
export class GrpcServer implements AsyncDisposable {
  /** With the port that was picked. */
  readonly address: string;
  readonly #server: Server;
  readonly #health: HealthImplementation;

  private constructor(server: Server, health: HealthImplementation, address: string) {
    this.#server = server;
    this.#health = health;
    this.address = address;
  }

  /** Binds and begins to answer. Throws `E_BIND` for an open address without TLS, or one that is taken. */
  static async start(options: GrpcServerOptions): Promise<GrpcServer> {
    const { dispatcher, address, maxMessageBytes, tls = null } = options;
    const { host } = parseHostPort(address);
    if (tls === null && !isLoopback(host)) throw refuseOpenAddress(address, '--tls-cert FILE --tls-key FILE');
    const server = new Server({
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc.max_send_message_length': maxMessageBytes,
      'grpc.keepalive_time_ms': 30_000,
      'grpc.keepalive_timeout_ms': 10_000,
    });
    const health = new HealthImplementation({ '': 'SERVING', [serviceName]: 'SERVING' });
    server.addService(definition, handlers(dispatcher));
    health.addToServer(server);
    new ReflectionService(loadSync(protoFile, { includeDirs: [protoFolder()] })).addToServer(server);
    try {
      const port = await bind(server, address, tls);
      return new GrpcServer(server, health, formatHostPort({ host, port }));
    } catch (error) {
      server.forceShutdown();
      throw error;
    }
  }

  /** Tells health probes that nothing new is taken. */
  drain(): void {
    this.#health.setStatus('', 'NOT_SERVING');
    this.#health.setStatus(serviceName, 'NOT_SERVING');
  }

  /** Answers what was asked for at most a second, then cuts. The core must be drained or closed first. Idempotent. */
  async close(): Promise<void> {
    this.drain();
    await new Promise<void>((resolve) => {
      const cut = setTimeout(() => this.#server.forceShutdown(), 1_000);
      this.#server.tryShutdown(() => {
        clearTimeout(cut);
        resolve();
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Bytes pass through: the dispatcher reads and writes them, so that both wires refuse in the same words. */
export const definition: ServiceDefinition = Object.fromEntries(
  [...methodTypes].map(([name, { streamed }]) => [
    name,
    {
      path: `/${serviceName}/${name}`,
      requestStream: false,
      responseStream: streamed,
      requestSerialize: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      requestDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      responseDeserialize: (bytes: Buffer) => bytes,
    },
  ]),
);

function handlers(dispatcher: Dispatcher): UntypedServiceImplementation {
  const unary = [...methodTypes].filter(([, { streamed }]) => !streamed);
  return {
    ...Object.fromEntries(unary.map(([name]) => [name, makeHandler(dispatcher, name)])),
    [eventsMethod]: makeEventsHandler(dispatcher),
  };
}

function makeHandler(dispatcher: Dispatcher, name: string): handleUnaryCall<Uint8Array, Uint8Array> {
  return (call, callback) => {
    let answered = false;
    // grpc-js says "cancelled" at the end of every call.
    const whenGone = (cancel: () => void) => call.on('cancelled', () => answered || cancel());
    dispatcher.handle(name, call.request, whenGone).then(
      (reply) => {
        answered = true;
        callback(null, reply);
      },
      (error: unknown) => {
        answered = true;
        callback(toResponse(error));
      },
    );
  };
}

/** Messages are few and small, so a client that does not read only fills its own stream. */
function makeEventsHandler(dispatcher: Dispatcher): handleServerStreamingCall<Uint8Array, Uint8Array> {
  return (call) => {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    dispatcher.streamEvents(call.request, { send: (message) => void call.write(message), signal: gone.signal }).then(
      () => call.end(),
      (error: unknown) => call.emit('error', toResponse(error)),
    );
  };
}

function toResponse(error: unknown): Partial<ServerErrorResponse> {
  const refusal = toRefusal(error);
  const metadata = new Metadata();
  metadata.set(errorKey, Buffer.from(encodeRefusal(refusal)));
  return { code: statusOf(refusal), details: `[${refusal.code}] ${refusal.message}`, metadata };
}

function bind(server: Server, address: string, tls: TlsFiles | null): Promise<number> {
  const credentials = makeCredentials(tls);
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(cannotBind(address, error));
    });
  });
}
