import OpenAI from 'openai';
import { z } from 'zod';
import { BoundaryError, InputError } from '../../env/index.ts';
import { formatBaseUrl, parseBaseUrl } from './base-url.ts';
import type { ChatRequest, Completion, ModelClient } from './client.ts';
import { readFailure } from './failure.ts';
import { fetchPatiently, maxTimeoutMs } from './fetch.ts';
import { type Dialect, makeChatBody, parseCompletion } from './openai-chat.ts';
import { foldChunks } from './openai-stream.ts';
import type { ClientOptions } from './options.ts';
import { askPatiently, type Patience } from './retry.ts';
import { greet, keyError } from './start-up.ts';
import { realTimer } from './timer.ts';
import { checkTools } from './tool-check.ts';

export interface OpenAiOptions extends ClientOptions {
  /** Of the API, ending in `/v1`; `/v1` is added where the path is empty. */
  readonly baseUrl: string;
  /** Tools that the server itself runs, sent with every request as they are. @default none */
  readonly serverTools?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

const modelListSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().nullish() })),
});
type ModelList = z.infer<typeof modelListSchema>['data'];

/**
 * Connects to an OpenAI-compatible server and asks it for a few tokens, so that a wrong address, key or model is told
 * before anything runs: `E_MODEL`, `E_API_KEY` (InputError), or what complete() throws (BoundaryError). Fields beyond the
 * common ones are sent to vLLM only: other servers refuse what they do not know.
 */
export async function connectOpenAi(options: OpenAiOptions): Promise<ModelClient> {
  const { apiKeyEnv = 'OPENAI_API_KEY', temperature = 0, stream = false, serverTools = [] } = options;
  const where = openAiBaseUrl(options.baseUrl);
  const key = process.env[apiKeyEnv] || 'none';
  const sdk = new OpenAI({
    apiKey: key,
    baseURL: where,
    timeout: maxTimeoutMs,
    maxRetries: 0,
    logLevel: 'off',
    fetch: fetchPatiently,
  });
  const patience = makePatience(where, key, options);
  const models = await listModels(sdk, patience, apiKeyEnv, options.model !== undefined);
  const model = options.model ?? pickModel(models, where);
  const tokenFields = models.find(({ id }) => id === model)?.owned_by === 'vllm';
  const dialect = { model, tokenFields, serverTools };
  const completeAs = (boundField: Dialect['boundField']) => (request: ChatRequest) =>
    askPatiently(patience, request, (signal) =>
      ask({ sdk, dialect: { ...dialect, boundField }, stream }, request, signal),
    );
  const start = { model, where, apiKeyEnv, temperature };
  const complete = await settleBound(completeAs, (candidate) => greet(candidate, start));
  return {
    model,
    complete,
    requireTools: () => checkTools(complete, start),
    isReachable: () => isReachable(sdk),
  };
}

function openAiBaseUrl(text: string): string {
  const url = parseBaseUrl(text);
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/v1';
  return formatBaseUrl(url);
}

function makePatience(where: string, key: string, options: OpenAiOptions): Patience {
  const { requestTimeoutMs = 600_000, maxRetries = 4, timer = realTimer } = options;
  const classes = { apiError: OpenAI.APIError, connectionError: OpenAI.APIConnectionError };
  return {
    where,
    requestTimeoutMs,
    maxRetries,
    timer,
    readFailure: (error) => readFailure(error, classes, key),
  };
}

/** Throws an InputError (`E_API_KEY`) where the server refuses the key. */
async function listModels(sdk: OpenAI, patience: Patience, apiKeyEnv: string, named: boolean): Promise<ModelList> {
  const list = async (signal: AbortSignal): Promise<ModelList> => {
    try {
      return modelListSchema.parse(await sdk.get('/models', { signal })).data;
    } catch (error) {
      const status = error instanceof OpenAI.APIError ? (error.status ?? null) : null;
      if (status === 401 || status === 403) throw keyError({ where: sdk.baseURL, apiKeyEnv, status, cause: error });
      if (isWithoutList(error, status, named)) return [];
      throw error;
    }
  };
  try {
    const models = await askPatiently(patience, { seed: 0 }, list);
    return 'type' in models ? [] : models;
  } catch (error) {
    // A server that refuses its list for good may answer all the same.
    if (named && error instanceof BoundaryError && error.code === 'E_MODEL_REFUSED') return [];
    throw error;
  }
}

/**
 * A server without the list (404, 405) lists nothing; its model must be named. Where it is, no fault of the list
 * matters, such as transformers serve's 500 on a machine without a cache folder; but a server that is busy for now
 * (429, 503) is asked again, since its list also tells whether it is vLLM.
 */
function isWithoutList(error: unknown, status: number | null, named: boolean): boolean {
  if (status === 404 || status === 405) return true;
  const busy = status === 429 || status === 503;
  return named && (error instanceof z.ZodError || (status !== null && !busy));
}

function pickModel(models: ModelList, baseUrl: string): string {
  const [first, ...others] = models;
  if (first !== undefined && others.length === 0) return first.id;
  const names = models.slice(0, 8).map(({ id }) => `"${id}"`);
  throw new InputError({
    code: 'E_MODEL',
    what: 'Cannot choose a model',
    where: baseUrl,
    expected: '--model, or a server that lists exactly one',
    found: models.length === 0 ? 'a server that lists none' : `${models.length} models, such as ${names.join(', ')}`,
    hint: 'transformers serve knows its model by the path that it was started with',
  });
}

type Complete = ModelClient['complete'];

/** The first request also finds out how the server calls the bound of an answer: it names the other field if it must. */
async function settleBound(
  completeAs: (field: Dialect['boundField']) => Complete,
  tryOut: (complete: Complete) => Promise<void>,
): Promise<Complete> {
  const complete = completeAs('max_tokens');
  try {
    await tryOut(complete);
    return complete;
  } catch (error) {
    if (!(error instanceof InputError) || !/max_completion_tokens/.test(error.facts.found ?? '')) throw error;
  }
  const other = completeAs('max_completion_tokens');
  await tryOut(other);
  return other;
}

interface Target {
  readonly sdk: OpenAI;
  readonly dialect: Dialect;
  readonly stream: boolean;
}

async function ask({ sdk, dialect, stream }: Target, request: ChatRequest, signal: AbortSignal): Promise<Completion> {
  const body = makeChatBody(dialect, request);
  if (!stream) return parseCompletion(await sdk.chat.completions.create({ ...body, stream: false }, { signal }));
  const streamed = { ...body, stream: true as const, stream_options: { include_usage: true } };
  return parseCompletion(await foldChunks(await sdk.chat.completions.create(streamed, { signal })));
}

async function isReachable(sdk: OpenAI): Promise<boolean> {
  try {
    await sdk.get('/models', { timeout: 5_000, maxRetries: 0 });
    return true;
  } catch (error) {
    return error instanceof OpenAI.APIError && error.status !== undefined;
  }
}
