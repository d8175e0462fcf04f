import { InputError } from '../../env/index.ts';
import { connectOpenAi, type ModelClient } from '../client/index.ts';
import { type ModelServer, readCheckpoint, type ServerKind, startModelServer } from '../client/server/index.ts';
import { createLoop, type Loop, type Sampling, type Seat } from '../loop/index.ts';
import type { OpenOptions, Player, Policy } from './policy.ts';

/** What a model policy needs; scripted ones take none of it. */
export interface ModelOptions {
  /** Of a server that runs already. @default the variable OPENAI_BASE_URL */
  readonly baseUrl?: string | undefined;
  /** A folder to serve for the run's time, instead of `baseUrl`. */
  readonly checkpoint?: string | undefined;
  /** The program that serves `checkpoint`. @default 'transformers' */
  readonly server?: ServerKind | undefined;
  /** @default the only model that the server lists */
  readonly model?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
  /** Real milliseconds for one request with its repeats. */
  readonly requestTimeoutMs?: number | undefined;
  /** @default 'script' */
  readonly loop?: string | undefined;
  /** @default 0 */
  readonly temperature?: number | undefined;
  /** @default 1024 */
  readonly maxTokens?: number | undefined;
}

/** Asks a model over the OpenAI protocol: one that is served somewhere, or a checkpoint that open() serves. */
export function makeOpenAiPolicy(_argument: string | null, options: ModelOptions): Policy {
  const { loop = 'script', temperature = 0, maxTokens = 1_024, server = 'transformers' } = options;
  const place = choosePlace(options);
  const seat = { loop: createLoop(loop), sampling: { temperature, maxTokens } };
  const served = place.checkpoint === null ? {} : { ...place.checkpoint, server };
  return {
    name: 'openai',
    config: { loop, temperature, max_tokens: maxTokens, ...served },
    context: { base_url: place.baseUrl === null ? null : withoutSecrets(place.baseUrl) },
    model: place.checkpoint?.checkpoint ?? options.model ?? null,
    open: (opening) =>
      place.checkpoint === null
        ? openPlayer(seat, { ...options, baseUrl: place.baseUrl })
        : openServed(seat, { ...options, checkpoint: place.checkpoint.checkpoint, server }, opening),
  };
}

type Place =
  | { readonly baseUrl: string; readonly checkpoint: null }
  | { readonly baseUrl: null; readonly checkpoint: { readonly checkpoint: string; readonly fingerprint: string } };

function choosePlace({ checkpoint, baseUrl, model }: ModelOptions): Place {
  if (checkpoint !== undefined) {
    if (baseUrl !== undefined) throw placeError('one of --checkpoint and --base-url', 'both');
    if (model !== undefined) throw placeError('no --model beside --checkpoint: the folder names it', `"${model}"`);
    const { folder, fingerprint } = readCheckpoint(checkpoint);
    return { baseUrl: null, checkpoint: { checkpoint: folder, fingerprint } };
  }
  const address = baseUrl ?? process.env['OPENAI_BASE_URL'];
  if (address !== undefined && address !== '') return { baseUrl: address, checkpoint: null };
  throw placeError('--base-url URL of an OpenAI-compatible server, or --checkpoint DIR to have one started', 'neither');
}

function placeError(expected: string, found: string): InputError {
  return new InputError({ code: 'E_BASE_URL', what: 'Cannot ask a model', where: '--policy openai', expected, found });
}

function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

interface ModelSeat {
  readonly loop: Loop;
  readonly sampling: Sampling;
}

async function openServed(
  seat: ModelSeat,
  options: ModelOptions & { readonly checkpoint: string; readonly server: ServerKind },
  { logFile, signal, onProgress }: OpenOptions,
): Promise<Player> {
  const { checkpoint, server: kind } = options;
  const server = await startModelServer({ checkpoint, kind, logFile, signal, onProgress });
  try {
    return await openPlayer(seat, { ...options, baseUrl: server.baseUrl, model: server.model }, server);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function openPlayer(
  { loop, sampling }: ModelSeat,
  options: ModelOptions & { readonly baseUrl: string },
  server?: ModelServer,
): Promise<Player> {
  const client: ModelClient = await connectOpenAi(options);
  return {
    model: client.model,
    baseUrl: options.baseUrl,
    play: (seat) => loop.play(seat, queueCalls(client, seat), sampling),
    isReachable: () => client.isReachable(),
    [Symbol.asyncDispose]: async () => await server?.stop(),
  };
}

/** The client as one episode sees it: its calls wait for their turn. */
function queueCalls(client: ModelClient, { queueCall = (call) => call() }: Seat): ModelClient {
  return {
    model: client.model,
    complete: (request) => queueCall(() => client.complete(request)),
    isReachable: () => client.isReachable(),
  };
}
