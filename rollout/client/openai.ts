import OpenAI from 'openai';
import { Agent, fetch as undiciFetch } from 'undici';
import { z } from 'zod';
import { InputError } from '../../env/index.ts';
import type { Answer, ChatRequest, Completion, ModelClient } from './client.ts';
import { asModelError, isContextOverflow, serverMessage, timeoutError } from './openai-error.ts';

export interface OpenAiOptions {
  /** Of the API, ending in `/v1`; `/v1` is added where the path is empty. */
  readonly baseUrl: string;
  /** @default the only model that the server lists */
  readonly model?: string | undefined;
  /** The environment variable that holds the key; the key is kept in memory only. @default 'OPENAI_API_KEY' */
  readonly apiKeyEnv?: string | undefined;
  /** Real milliseconds for one request with its repeats. @default 600000 */
  readonly requestTimeoutMs?: number | undefined;
  /** Repeats of a request that may pass later; waits as long as the server asks for, at most a minute. @default 4 */
  readonly maxRetries?: number | undefined;
}

const modelListSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().nullish() })),
});
type ModelList = z.infer<typeof modelListSchema>['data'];

const completionSchema = z.looseObject({
  prompt_token_ids: z.array(z.int()).nullish(),
  usage: z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int() }).nullish(),
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
        token_ids: z.array(z.int()).nullish(),
        logprobs: z.looseObject({ content: z.array(z.looseObject({ logprob: z.number() })).nullish() }).nullish(),
      }),
    )
    .min(1),
});

/**
 * Connects to an OpenAI-compatible server and asks it for one token, so that a wrong address, key or model is told
 * before anything runs: `E_MODEL_UNREACHABLE` (BoundaryError), `E_MODEL`, `E_API_KEY` (InputError). Fields beyond the
 * common ones are sent to vLLM only: other servers refuse what they do not know.
 */
export async function connectOpenAi(options: OpenAiOptions): Promise<ModelClient> {
  const { requestTimeoutMs = 600_000, maxRetries = 4, apiKeyEnv = 'OPENAI_API_KEY' } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const sdk = new OpenAI({
    apiKey: process.env[apiKeyEnv] || 'none',
    baseURL: baseUrl,
    timeout: maxTimeoutMs,
    maxRetries,
    logLevel: 'off',
    fetch: fetchPatiently,
  });
  const models = await listModels(sdk, apiKeyEnv, options.model !== undefined);
  const model = options.model ?? pickModel(models, baseUrl);
  const tokenFields = models.find(({ id }) => id === model)?.owned_by === 'vllm';
  const target = { model, tokenFields, requestTimeoutMs };
  const complete = (request: ChatRequest) => completeChat(sdk, target, request);
  await askOneToken(complete, model, baseUrl);
  return { model, complete, isReachable: () => isReachable(sdk) };
}

/** Longer than any request is let live; the time of a request is kept by its signal, which the SDK does not repeat after. */
const maxTimeoutMs = 86_400_000;

/** The built-in fetch gives up after 300 s without a header, and a busy server sends none until the answer is whole. */
const patience = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
const fetchPatiently = ((url: string, init?: object) => undiciFetch(url, { ...init, dispatcher: patience })) as Fetch;
type Fetch = NonNullable<ConstructorParameters<typeof OpenAI>[0]>['fetch'];

function parseBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InputError({
      code: 'E_BASE_URL',
      what: 'Cannot reach a model server',
      where: '--base-url',
      expected: 'an http or https URL such as "http://127.0.0.1:8000/v1"',
      found: `"${text}"`,
    });
  }
  const url = new URL(text);
  if (url.pathname === '/') url.pathname = '/v1';
  return url.href.replace(/\/$/, '');
}

/**
 * A server without the list (404, 405) lists nothing; its model must be named. Where it is, no error of the server
 * matters: transformers serve answers 500 on a machine without a cache folder.
 */
async function listModels(sdk: OpenAI, apiKeyEnv: string, named: boolean): Promise<ModelList> {
  try {
    const parsed = modelListSchema.safeParse(await sdk.get('/models', named ? { maxRetries: 0 } : {}));
    return parsed.success ? parsed.data.data : [];
  } catch (error) {
    const status = error instanceof OpenAI.APIError ? error.status : undefined;
    if (status === 401 || status === 403) throw keyError(sdk.baseURL, apiKeyEnv, status, error);
    if (status === 404 || status === 405 || (status !== undefined && named)) return [];
    throw asModelError(error, sdk.baseURL);
  }
}

function keyError(where: string, apiKeyEnv: string, status: number, cause: unknown): InputError {
  return new InputError({
    code: 'E_API_KEY',
    what: 'The model server refuses the key',
    where,
    expected: `a valid key in the environment variable ${apiKeyEnv}`,
    found: process.env[apiKeyEnv] ? `status ${status}` : 'the variable is not set',
    cause,
  });
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

async function askOneToken(
  complete: (request: ChatRequest) => Promise<Completion>,
  model: string,
  baseUrl: string,
): Promise<void> {
  try {
    await complete({ messages: [{ role: 'user', content: 'hi' }], temperature: 0, maxTokens: 1, seed: 0 });
  } catch (error) {
    const refusal = serverMessage(error);
    if (refusal === null) throw error;
    throw new InputError({
      code: 'E_MODEL',
      what: `The model server refuses a first request for "${model}"`,
      where: baseUrl,
      found: refusal,
      hint: 'name another model with --model',
      cause: error,
    });
  }
}

interface Target {
  readonly model: string;
  /** Whether the server takes and gives token ids and logprobs. */
  readonly tokenFields: boolean;
  readonly requestTimeoutMs: number;
}

async function completeChat(sdk: OpenAI, target: Target, request: ChatRequest): Promise<Completion> {
  const body = {
    model: target.model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    temperature: request.temperature,
    max_tokens: request.maxTokens,
    stream: false as const,
    ...(request.temperature > 0 ? { seed: request.seed } : {}),
    ...(target.tokenFields ? { logprobs: true, return_token_ids: true } : {}),
  };
  const timeout = AbortSignal.timeout(target.requestTimeoutMs);
  const signal = AbortSignal.any([timeout, ...(request.signal === undefined ? [] : [request.signal])]);
  try {
    return parseCompletion(await sdk.chat.completions.create(body, { signal }));
  } catch (error) {
    if (request.signal?.aborted === true) throw request.signal.reason;
    if (timeout.aborted) throw timeoutError(sdk.baseURL, target.requestTimeoutMs, error);
    if (isContextOverflow(error)) return { type: 'context-overflow', message: error.message };
    throw asModelError(error, sdk.baseURL);
  }
}

function parseCompletion(body: unknown): Answer {
  const { choices, usage, prompt_token_ids } = completionSchema.parse(body);
  const choice = choices[0];
  if (choice === undefined) throw new TypeError('Cannot read a completion: it has no choice');
  const logprobs = choice.logprobs?.content?.map(({ logprob }) => logprob);
  return {
    type: 'answer',
    text: choice.message.content ?? '',
    finishReason: choice.finish_reason ?? 'stop',
    promptTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    ...(prompt_token_ids ? { promptTokenIds: prompt_token_ids } : {}),
    ...(choice.token_ids ? { tokenIds: choice.token_ids } : {}),
    ...(logprobs ? { logprobs } : {}),
  };
}

async function isReachable(sdk: OpenAI): Promise<boolean> {
  try {
    await sdk.get('/models', { timeout: 5_000, maxRetries: 0 });
    return true;
  } catch (error) {
    return error instanceof OpenAI.APIError && error.status !== undefined;
  }
}
