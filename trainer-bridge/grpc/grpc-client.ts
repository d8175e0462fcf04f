import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { type EventService, type EventSubscriber, type EventsRequest, RemoteError } from '../core/index.ts';
import { decodeNotice, decodeRefusal, encodeEventsRequest, eventsMethod, serviceName } from '../protobuf/index.ts';
import { errorKey } from './grpc-server.ts';

export interface GrpcClientOptions {
  /** `HOST:PORT` of a loopback server. */
  readonly address: string;
  /** Bytes of one message in both directions, as the server's. */
  readonly maxMessageBytes: number;
  /** Of each call that has one reply, in milliseconds. @default none */
  readonly deadlineMs?: number;
}

/** Carries calls over one channel. It sends no heartbeats: for tests and measurements. */
export class GrpcClient implements EventService, AsyncDisposable {
  readonly #client: Client;
  readonly #deadlineMs: number | null;

  constructor({ address, maxMessageBytes, deadlineMs }: GrpcClientOptions) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc.max_send_message_length': maxMessageBytes,
    });
    this.#deadlineMs = deadlineMs ?? null;
  }

  /** A `Carry` of the protobuf room. Rejects with RemoteError where the server refused, else with gRPC's own error. */
  readonly carry = (method: string, payload: Uint8Array): Promise<Uint8Array> => {
    const options = this.#deadlineMs === null ? {} : { deadline: Date.now() + this.#deadlineMs };
    const path = `/${serviceName}/${method}`;
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path, toBuffer, keep, payload, options, (error, reply) => {
        if (error !== null) reject(toError(error));
        else resolve(reply ?? new Uint8Array());
      });
    });
  };

  /** Rejects as `carry` does, or with what `tell` throws. */
  events(request: EventsRequest, { tell, signal }: EventSubscriber): Promise<void> {
    const path = `/${serviceName}/${eventsMethod}`;
    const stream = this.#client.makeServerStreamRequest(path, toBuffer, keep, encodeEventsRequest(request));
    const goAway = () => stream.cancel();
    signal.addEventListener('abort', goAway);
    if (signal.aborted) goAway();
    const over = new Promise<void>((resolve, reject) => {
      stream.on('data', (bytes: Uint8Array) => {
        try {
          tell(decodeNotice(bytes));
        } catch (error) {
          reject(error);
          stream.cancel();
        }
      });
      stream.on('end', resolve);
      stream.on('error', (error: ServiceError) => (signal.aborted ? resolve() : reject(toError(error))));
    });
    return over.finally(() => signal.removeEventListener('abort', goAway));
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function keep(bytes: Buffer): Uint8Array {
  return bytes;
}

function toError(error: ServiceError): Error {
  const [refusal] = error.metadata.get(errorKey);
  return refusal instanceof Buffer ? new RemoteError(decodeRefusal(refusal)) : error;
}
