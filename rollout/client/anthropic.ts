import Anthropic from '@anthropic-ai/sdk';
import { InputError } from '../../env/index.ts';
import { makeMessagesBody, parseMessage } from './anthropic-chat.ts';
import { foldEvents } from './anthropic-stream.ts';
import { formatBaseUrl, parseBaseUrl } from './base-url.ts';
import type { ChatRequest, Completion, ModelClient } from './client.ts';
import { readFailure } from './failure.ts';
import { fetchPatiently, maxTimeoutMs } from './fetch.ts';
import type { ClientOptions } from './options.ts';
import { askPatiently, type Patience } from './retry.ts';
import { greet, keyError } from './start-up.ts';
import { realTimer } from './timer.ts';
import { checkTools } from './tool-check.ts';

export interface AnthropicOptions extends ClientOptions {
  /** Without `/v1`, which the protocol adds. @default 'https://api.anthropic.com' */
  readonly baseUrl?: string | undefined;
}

const vendorUrl = 'https://api.anthropic.com';

/**
 * Connects to a server of the Messages protocol and asks it for a few tokens, so that a wrong address, key or model is
 * told before anything runs: `E_MODEL_UNREACHABLE` (BoundaryError), `E_MODEL`, `E_API_KEY` (InputError).
 */
export async function connectAnthropic(options: AnthropicOptions): Promise<ModelClient> {
  const { model, apiKeyEnv = 'ANTHROPIC_API_KEY', temperature = null, stream = false, baseUrl = vendorUrl } = options;
  const where = formatBaseUrl(parseBaseUrl(baseUrl)).replace(/\/v1$/, '');
  const key = process.env[apiKeyEnv] ?? '';
  if (key === '' && where === vendorUrl) throw keyError({ where, apiKeyEnv, status: null });
  if (model === undefined) throw modelMissing(where);
  const sdk = new Anthropic({
    apiKey: key || 'none',
    baseURL: where,
    timeout: maxTimeoutMs,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: fetchPatiently,
  });
  const patience = makePatience(where, key, options);
  const target = { sdk, model, stream };
  const complete = (request: ChatRequest) => askPatiently(patience, request, (signal) => ask(target, request, signal));
  const start = { model, where, apiKeyEnv, temperature };
  await greet(complete, start);
  return {
    model,
    complete,
    requireTools: () => checkTools(complete, start),
    isReachable: () => isReachable(sdk),
  };
}

function makePatience(where: string, key: string, options: AnthropicOptions): Patience {
  const { requestTimeoutMs = 600_000, maxRetries = 4, timer = realTimer } = options;
  const classes = { apiError: Anthropic.APIError, connectionError: Anthropic.APIConnectionError };
  return {
    where,
    requestTimeoutMs,
    maxRetries,
    timer,
    readFailure: (error) => readFailure(error, classes, key),
  };
}

function modelMissing(where: string): InputError {
  return new InputError({
    code: 'E_MODEL',
    what: 'Cannot choose a model',
    where,
    expected: '--model NAME',
    found: 'none',
  });
}

interface Target {
  readonly sdk: Anthropic;
  readonly model: string;
  readonly stream: boolean;
}

async function ask({ sdk, model, stream }: Target, request: ChatRequest, signal: AbortSignal): Promise<Completion> {
  const body = makeMessagesBody(model, request);
  if (!stream) return parseMessage(await sdk.messages.create({ ...body, stream: false }, { signal }));
  return parseMessage(await foldEvents(await sdk.messages.create({ ...body, stream: true }, { signal })));
}

async function isReachable(sdk: Anthropic): Promise<boolean> {
  try {
    await sdk.get('/v1/models', { timeout: 5_000, maxRetries: 0 });
    return true;
  } catch (error) {
    return error instanceof Anthropic.APIError && error.status !== undefined;
  }
}
