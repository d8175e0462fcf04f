import type { Timer } from './timer.ts';

/** What every client of a server takes. */
export interface ClientOptions {
  /** @default the only model that the server lists */
  readonly model?: string | undefined;
  /** The environment variable that holds the key; the key is kept in memory only. @default the vendor's own */
  readonly apiKeyEnv?: string | undefined;
  /** Real milliseconds for one request with its repeats and waits. @default 600000 */
  readonly requestTimeoutMs?: number | undefined;
  /** Repeats of a request that may pass later. @default 4 */
  readonly maxRetries?: number | undefined;
  /** Ask for the answer piece by piece; what comes of it is the same. @default false */
  readonly stream?: boolean | undefined;
  /** As the requests will have it, so that the first request finds a server that refuses it. @default the vendor's own */
  readonly temperature?: number | null | undefined;
  /** @default real time */
  readonly timer?: Timer | undefined;
}
