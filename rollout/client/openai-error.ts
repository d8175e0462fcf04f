import OpenAI from 'openai';
import { ZodError } from 'zod';
import { BoundaryError } from '../../env/index.ts';

/** Messages by which vLLM, OpenAI, llama.cpp and others say that a conversation is too long; each comes with status 400. */
const overflowPattern =
  /context[ _]length|maximum context|context size|context window|max_model_len|maximum (?:model|sequence|input) length|prompt is too long/i;

/** Whether the server refused a request because it does not fit the model's context. */
export function isContextOverflow(error: unknown): error is InstanceType<typeof OpenAI.APIError> {
  if (!(error instanceof OpenAI.APIError)) return false;
  if (error.status !== 400 && error.status !== 413) return false;
  return error.code === 'context_length_exceeded' || overflowPattern.test(error.message);
}

/** An error of the SDK as ours. What is neither the server's nor the network's is a bug and comes back as it is. */
export function asModelError(error: unknown, baseUrl: string): unknown {
  const common = { where: baseUrl, cause: error };
  if (error instanceof OpenAI.APIConnectionError) {
    return new BoundaryError('model', {
      ...common,
      code: 'E_MODEL_UNREACHABLE',
      what: 'Cannot reach the model server',
      found: deepestMessage(error),
      hint: 'start one, or give its address with --base-url, or a checkpoint folder with --checkpoint',
    });
  }
  if (error instanceof OpenAI.APIError) {
    return new BoundaryError('model', {
      ...common,
      code: 'E_MODEL_REFUSED',
      what: 'The model server refused a request',
      found: error.message.slice(0, 500),
    });
  }
  if (error instanceof ZodError || error instanceof SyntaxError) {
    return new BoundaryError('model', {
      ...common,
      code: 'E_MODEL_ANSWER',
      what: 'The model server gave an answer of another form',
      expected: 'an OpenAI chat completion',
      found: error.message.replace(/\s+/g, ' ').slice(0, 300),
    });
  }
  return error;
}

/** A request with its repeats took too long. */
export function timeoutError(where: string, limitMs: number, cause: unknown): BoundaryError {
  return new BoundaryError('model', {
    code: 'E_MODEL_TIMEOUT',
    what: 'The model server did not answer',
    where,
    expected: `an answer within ${limitMs / 1_000} s`,
    hint: 'fewer episodes at once (--max-concurrent), shorter answers (--max-tokens) or more time (--request-timeout)',
    cause,
  });
}

/** What the server said when it refused a request for good (a status of 4xx); null for any other error. */
export function serverMessage(error: unknown): string | null {
  if (!(error instanceof BoundaryError) || error.code !== 'E_MODEL_REFUSED') return null;
  const { cause } = error.facts;
  const status = cause instanceof OpenAI.APIError ? cause.status : undefined;
  return status !== undefined && status < 500 && status !== 429 ? (error.facts.found ?? '') : null;
}

function deepestMessage(error: Error): string {
  return error.cause instanceof Error ? deepestMessage(error.cause) : error.message;
}
