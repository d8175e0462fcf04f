import { BoundaryError, InputError } from '../../env/index.ts';
import type { ChatRequest, Completion } from './client.ts';

/** What is asked before anything runs. Models that think before they answer refuse less than a few tokens. */
const greeting: ChatRequest = {
  messages: [{ role: 'user', content: 'hi' }],
  temperature: null,
  maxTokens: 16,
  seed: 0,
};

export interface StartUp {
  readonly model: string;
  readonly where: string;
  /** The environment variable that holds the key. */
  readonly apiKeyEnv: string;
  /** As the requests of the run will have it. */
  readonly temperature: number | null;
}

/**
 * Asks for a few tokens, so that a wrong address, key or model is told before anything runs: `E_API_KEY`, `E_MODEL`
 * (InputError), or what complete() throws.
 */
export async function greet(complete: (request: ChatRequest) => Promise<Completion>, start: StartUp): Promise<void> {
  try {
    await complete({ ...greeting, temperature: start.temperature });
  } catch (error) {
    throw asStartUpError(error, start);
  }
}

/** A refusal that no repeat will change is the user's to mend; any other error stays what it is. */
function asStartUpError(error: unknown, { model, where, apiKeyEnv, temperature }: StartUp): unknown {
  const status = refusalStatus(error);
  if (status === null || !(error instanceof BoundaryError)) return error;
  if (status === 401 || status === 403) return keyError({ where, apiKeyEnv, status, cause: error });
  const found = error.facts.found ?? '';
  const aboutTemperature = temperature !== null && /temperature/i.test(found);
  return new InputError({
    code: 'E_MODEL',
    what: `The model server refuses a first request for "${model}"`,
    where,
    found,
    hint: aboutTemperature ? 'leave it to the server with --temperature default' : 'name another model with --model',
    cause: error,
  });
}

/** The status (4xx) with which a server refused a request for good; null for any other error. */
export function refusalStatus(error: unknown): number | null {
  if (!(error instanceof BoundaryError) || error.code !== 'E_MODEL_REFUSED') return null;
  const { cause } = error.facts;
  const status = typeof cause === 'object' && cause !== null && 'status' in cause ? cause.status : null;
  return typeof status === 'number' && status < 500 && status !== 429 && status !== 408 ? status : null;
}

export interface KeyProblem {
  readonly where: string;
  readonly apiKeyEnv: string;
  /** Null where nothing was asked, since there is no key. */
  readonly status: number | null;
  readonly cause?: unknown;
}

export function keyError({ where, apiKeyEnv, status, cause }: KeyProblem): InputError {
  return new InputError({
    code: 'E_API_KEY',
    what: status === null ? 'Cannot ask a model without a key' : 'The model server refuses the key',
    where,
    expected: `a valid key in the environment variable ${apiKeyEnv}`,
    found: process.env[apiKeyEnv] ? `status ${status}` : 'the variable is not set',
    cause,
  });
}
