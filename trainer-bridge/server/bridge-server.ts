import type { Gym } from '../../env/index.ts';
import {
  BridgeCore,
  type CoreLimits,
  type CoreObserver,
  type CoreOptions,
  EpisodeJournal,
  joinObservers,
  type SplitCeiling,
  silentObserver,
} from '../core/index.ts';
import { GrpcServer, type TlsFiles } from '../grpc/index.ts';
import { MetricsServer, ServiceMetrics } from '../metrics/index.ts';
import { Dispatcher } from '../protobuf/index.ts';
import { type CurveServerKeys, ZeromqServer } from '../zeromq/index.ts';

export interface BridgeServerOptions {
  /** Stays the caller's. */
  readonly gym: Gym;
  readonly findTask: CoreOptions['findTask'];
  readonly versions: CoreOptions['versions'];
  /** `tcp://HOST:PORT` or `ipc://PATH`. */
  readonly zeromq: string;
  /** `HOST:PORT`. @default not served */
  readonly grpc?: string | null;
  /** `HOST:PORT`. @default not served */
  readonly metrics?: string | null;
  /** @default everything is served */
  readonly ceiling?: SplitCeiling | null;
  /** Folder for `episodes.jsonl` and `traces.jsonl`. @default nothing is recorded */
  readonly runFolder?: string | null;
  /** Needed for ZeroMQ beyond loopback. @default none */
  readonly curve?: CurveServerKeys | null;
  /** Needed for gRPC beyond loopback. @default none */
  readonly tls?: TlsFiles | null;
  readonly limits?: Partial<CoreLimits>;
  /** Hears of machinery that broke outside of any call. */
  readonly onFailure?: CoreObserver['failed'];
}

export interface BridgeAddresses {
  readonly zeromq: string;
  readonly grpc: string | null;
  readonly metrics: string | null;
}

/** The core behind its wires, as `muxgym serve` runs it. */
export class BridgeServer implements AsyncDisposable {
  readonly #core: BridgeCore;
  readonly #parts: Parts;
  #closing: Promise<void> | null = null;

  private constructor(core: BridgeCore, parts: Parts) {
    this.#core = core;
    this.#parts = parts;
  }

  /** Throws an InputError where an address, a key or a folder cannot be used; nothing stays open then. */
  static async start(options: BridgeServerOptions): Promise<BridgeServer> {
    const metrics = new ServiceMetrics();
    const { runFolder = null, ceiling = null } = options;
    const journal = runFolder === null ? null : await EpisodeJournal.open(runFolder, ceiling?.source ?? null);
    const core = new BridgeCore(coreOptions(options, metrics, journal));
    const parts: Parts = { journal, zeromq: null, grpc: null, metrics: null };
    const server = new BridgeServer(core, parts);
    try {
      await server.#bind(options, metrics);
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  get addresses(): BridgeAddresses {
    const { zeromq, grpc, metrics } = this.#parts;
    return { zeromq: zeromq?.address ?? '', grpc: grpc?.address ?? null, metrics: metrics?.address ?? null };
  }

  /** Takes nothing new, lets what runs finish for at most `deadlineMs`, then closes. */
  async drain(deadlineMs: number): Promise<void> {
    this.#parts.grpc?.drain();
    await this.#core.drain(deadlineMs);
    await this.close();
  }

  /** Ends every episode, answers what was asked, closes the sockets. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #bind(options: BridgeServerOptions, metrics: ServiceMetrics): Promise<void> {
    const { maxMessageBytes } = this.#core.limits;
    const dispatcher = new Dispatcher(this.#core, maxMessageBytes);
    const { zeromq, grpc = null, curve = null, tls = null } = options;
    const parts = this.#parts;
    parts.zeromq = await ZeromqServer.start({ dispatcher, maxMessageBytes, address: zeromq, curve });
    if (grpc !== null) parts.grpc = await GrpcServer.start({ dispatcher, maxMessageBytes, address: grpc, tls });
    if (typeof options.metrics === 'string') {
      parts.metrics = await MetricsServer.start(metrics.registry, options.metrics);
    }
    metrics.watch({ liveEpisodes: () => this.#core.live, droppedReplies: () => parts.zeromq?.dropped ?? 0 });
  }

  async #closeAll(): Promise<void> {
    await this.#core.close();
    const { zeromq, grpc, metrics, journal } = this.#parts;
    await Promise.all([zeromq?.close(), grpc?.close(), metrics?.close()]);
    await journal?.close();
  }
}

/** What is open, in the order of opening. */
interface Parts {
  readonly journal: EpisodeJournal | null;
  zeromq: ZeromqServer | null;
  grpc: GrpcServer | null;
  metrics: MetricsServer | null;
}

function coreOptions(
  options: BridgeServerOptions,
  metrics: ServiceMetrics,
  journal: EpisodeJournal | null,
): CoreOptions {
  const { gym, findTask, versions, ceiling = null, limits = {}, onFailure } = options;
  const observers = [metrics.observer, ...(onFailure === undefined ? [] : [makeFailureObserver(onFailure)])];
  const record =
    journal === null ? {} : { record: (episode: Parameters<typeof journal.append>[0]) => journal.append(episode) };
  return { gym, findTask, versions, ceiling, limits, observer: joinObservers(observers), ...record };
}

function makeFailureObserver(failed: CoreObserver['failed']): CoreObserver {
  return { ...silentObserver, failed };
}
