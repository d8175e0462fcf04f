import { InputError } from '../../env/index.ts';
import { connectOpenAi } from '../client/index.ts';
import { type ModelServer, readCheckpoint, startModelServer } from '../client/server/index.ts';
import type { Sampling } from '../loop/index.ts';
import { withoutSecrets } from './address.ts';
import { type Connected, makeModelPolicy } from './model.ts';
import type { ModelOptions } from './model-options.ts';
import type { OpenOptions, Policy } from './policy.ts';

/** Asks a model over the OpenAI protocol: one that is served somewhere, or a checkpoint that open() serves. */
export function makeOpenAiPolicy(_argument: string | null, options: ModelOptions): Policy {
  const place = choosePlace(options);
  const { server = 'transformers' } = options;
  return makeModelPolicy({
    name: 'openai',
    options,
    defaultTemperature: 0,
    config: place.checkpoint === null ? {} : { ...place.checkpoint, server },
    context: { base_url: place.baseUrl === null ? null : withoutSecrets(place.baseUrl) },
    model: place.checkpoint?.checkpoint ?? options.model ?? null,
    connect: (sampling, opening) =>
      place.checkpoint === null
        ? connect({ ...options, baseUrl: place.baseUrl }, sampling)
        : connectServed({ ...options, checkpoint: place.checkpoint.checkpoint }, sampling, opening),
  });
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

async function connect(options: ModelOptions & { readonly baseUrl: string }, sampling: Sampling): Promise<Connected> {
  const { baseUrl, model, apiKeyEnv, requestTimeoutMs, stream } = options;
  const { temperature } = sampling;
  const client = await connectOpenAi({ baseUrl, model, apiKeyEnv, requestTimeoutMs, stream, temperature });
  return { client, baseUrl };
}

async function connectServed(
  options: ModelOptions & { readonly checkpoint: string },
  sampling: Sampling,
  { logFile, signal, onProgress }: OpenOptions,
): Promise<Connected> {
  const { checkpoint, server: kind = 'transformers' } = options;
  const server: ModelServer = await startModelServer({ checkpoint, kind, logFile, signal, onProgress });
  const stop = () => server.stop();
  try {
    return { ...(await connect({ ...options, baseUrl: server.baseUrl, model: server.model }, sampling)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
