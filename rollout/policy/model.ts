import type { ModelClient } from '../client/index.ts';
import { createLoop, type Loop, type Sampling, type Seat } from '../loop/index.ts';
import type { ModelOptions } from './model-options.ts';
import type { OpenOptions, Player, Policy } from './policy.ts';

/** A client that is ready, and what has to end with it. */
export interface Connected {
  readonly client: ModelClient;
  /** Of an OpenAI-compatible server, ending in `/v1`. */
  readonly baseUrl?: string;
  /** Ends a server that was started for the client. */
  readonly stop?: () => Promise<void>;
}

export interface ModelPolicyParts {
  readonly name: string;
  readonly options: ModelOptions;
  /** Where the user names none; null leaves it to the server. */
  readonly defaultTemperature: number | null;
  /** Beside what every such policy has. */
  readonly config?: Policy['config'];
  readonly context?: Policy['context'];
  readonly model: string | null;
  readonly connect: (sampling: Sampling, opening: OpenOptions) => Promise<Connected>;
}

/** A policy that asks a model: any client, any loop. Throws what the loop's making throws. */
export function makeModelPolicy(parts: ModelPolicyParts): Policy {
  const { name, options, defaultTemperature, config = {}, context = {}, model, connect } = parts;
  const { loop: loopName = 'script', scaffold, temperature = defaultTemperature, maxTokens = 1_024 } = options;
  const loop = createLoop(loopName, { scaffold, scaffoldSilenceMs: options.requestTimeoutMs });
  const sampling = { temperature, maxTokens };
  return {
    name,
    config: { loop: loopName, ...loop.config, temperature, max_tokens: maxTokens, ...config },
    context,
    model,
    open: async (opening) => await openPlayer(loop, sampling, await connect(sampling, opening)),
  };
}

async function openPlayer(loop: Loop, sampling: Sampling, connected: Connected): Promise<Player> {
  const { client, baseUrl, stop } = connected;
  try {
    await loop.prepare(client);
  } catch (error) {
    await stop?.();
    throw error;
  }
  return {
    model: client.model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    play: (seat) => loop.play(seat, seatClient(client, seat), sampling),
    isReachable: () => client.isReachable(),
    [Symbol.asyncDispose]: async () => await stop?.(),
  };
}

/** The client as one episode sees it: its calls wait for their turn, and what comes is told at once. */
function seatClient(client: ModelClient, { queueCall = (call) => call(), onCompletion }: Seat): ModelClient {
  const complete: ModelClient['complete'] = async (request) => {
    const completion = await queueCall(() => client.complete(request));
    onCompletion?.(completion);
    return completion;
  };
  return { ...client, complete };
}
