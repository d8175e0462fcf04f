import { ZodError } from 'zod';
import { BoundaryError } from '../../env/index.ts';

/** Why a request brought no answer, told alike for every server. */
export type Failure =
  /** The conversation does not fit the model's context. */
  | { readonly type: 'overflow'; readonly message: string }
  /** The server answered with an error. `status` is null where an error came inside an answer of status 200. */
  | {
      readonly type: 'refused';
      readonly status: number | null;
      readonly message: string;
      /** Milliseconds that the server asks to wait before a repeat; null where it says nothing. */
      readonly retryAfterMs: number | null;
      /** Whether a repeat may bring an answer. */
      readonly passing: boolean;
    }
  /** Nobody answers, or the connection ended before the answer did. */
  | { readonly type: 'unreachable'; readonly message: string }
  /** What came is no answer of the protocol. */
  | { readonly type: 'malformed'; readonly message: string };

/** The error classes of a vendor's SDK. */
export interface ErrorClasses {
  readonly apiError: abstract new (...args: never[]) => ApiError;
  readonly connectionError: abstract new (...args: never[]) => Error;
}

interface ApiError extends Error {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly error: unknown;
}

/** Messages by which servers say that a conversation is too long; each comes with status 400 or 413. */
const overflowPattern =
  /context[ _]length|context limit|maximum context|context size|context window|max_model_len|maximum (?:model|sequence|input) length|prompt is too long/i;

/** An answer that ended before it was whole. */
export class CutAnswer extends Error {
  override readonly name = 'CutAnswer';
}

/** An error that a server put into an answer of status 200. */
export class ErrorAnswer extends Error {
  override readonly name = 'ErrorAnswer';
  readonly status: number | null;

  constructor(status: number | null, message: string) {
    super(message);
    this.status = status;
  }
}

/** An error of an SDK, of the network or of our reading as a failure; null for what is a bug. `key` is hidden. */
export function readFailure(error: unknown, classes: ErrorClasses, key: string): Failure | null {
  const failure = classify(error, classes);
  if (failure === null) return null;
  const message = failure.message.replace(/\s+/g, ' ').slice(0, 500);
  return { ...failure, message: key.length < 8 ? message : message.replaceAll(key, '(key)') };
}

function classify(error: unknown, { apiError, connectionError }: ErrorClasses): Failure | null {
  if (error instanceof connectionError) return { type: 'unreachable', message: deepestMessage(error) };
  if (error instanceof apiError) return readRefusal(error.status ?? statusInside(error.error), error);
  if (error instanceof ErrorAnswer) return readRefusal(error.status, error);
  if (error instanceof CutAnswer) return { type: 'unreachable', message: error.message };
  if (error instanceof ZodError) return { type: 'malformed', message: describeIssues(error) };
  if (error instanceof SyntaxError) return { type: 'malformed', message: error.message };
  // undici tells a connection that broke inside a body so.
  if (error instanceof TypeError && error.name === 'TypeError' && error.cause instanceof Error) {
    return { type: 'unreachable', message: deepestMessage(error) };
  }
  return null;
}

function describeIssues(error: ZodError): string {
  return error.issues.map(({ path, message }) => [path.map(String).join('.'), message].join(': ')).join('; ');
}

function readRefusal(status: number | null, error: Error & { readonly headers?: Headers | undefined }): Failure {
  const { message, headers } = error;
  const tooLong = status === null || status === 400 || status === 413;
  if (tooLong && overflowPattern.test(message)) return { type: 'overflow', message };
  return {
    type: 'refused',
    status,
    message,
    retryAfterMs: headers === undefined ? null : readRetryAfter(headers),
    passing: isPassing(status, headers?.get('x-should-retry') ?? null),
  };
}

/** An error inside a stream carries its status, where any, in its body. */
function statusInside(body: unknown): number | null {
  const code = typeof body === 'object' && body !== null && 'code' in body ? Number(body.code) : Number.NaN;
  return Number.isInteger(code) && code >= 400 ? code : null;
}

function isPassing(status: number | null, shouldRetry: string | null): boolean {
  if (shouldRetry === 'true' || shouldRetry === 'false') return shouldRetry === 'true';
  return status === null || status === 408 || status === 409 || status === 429 || status >= 500;
}

/** The server's hint: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function readRetryAfter(headers: Headers, nowMs: number = Date.now()): number | null {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && isFiniteNumber(exact)) return Math.max(0, Number(exact));
  const hint = headers.get('retry-after');
  if (hint === null) return null;
  if (isFiniteNumber(hint)) return Math.max(0, Number(hint) * 1_000);
  const date = Date.parse(hint);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function isFiniteNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function deepestMessage(error: Error): string {
  return error.cause instanceof Error ? deepestMessage(error.cause) : error.message;
}

type Fatal = Exclude<Failure, { readonly type: 'overflow' }>;

/** The failure as what the caller of complete() sees. */
export function modelError(failure: Fatal, where: string, cause: unknown): BoundaryError {
  const common = { where, cause, found: describe(failure) };
  switch (failure.type) {
    case 'refused':
      return new BoundaryError('model', {
        ...common,
        code: 'E_MODEL_REFUSED',
        what: 'The model server refused a request',
      });
    case 'unreachable':
      return new BoundaryError('model', {
        ...common,
        code: 'E_MODEL_UNREACHABLE',
        what: 'Cannot reach the model server',
        hint: 'start one, or give its address with --base-url, or a checkpoint folder with --checkpoint',
      });
    case 'malformed':
      return new BoundaryError('model', {
        ...common,
        code: 'E_MODEL_ANSWER',
        what: 'The model server gave an answer of another form',
        expected: 'an answer of its protocol',
      });
  }
}

function describe(failure: Fatal): string {
  return failure.type === 'refused' && failure.status !== null && !failure.message.startsWith(String(failure.status))
    ? `${failure.status} ${failure.message}`
    : failure.message;
}

/** A request with its repeats took too long. */
export function timeoutError(where: string, limitMs: number, cause: unknown): BoundaryError {
  return new BoundaryError('model', {
    code: 'E_MODEL_TIMEOUT',
    what: 'The model server did not answer',
    where,
    expected: `an answer within ${limitMs / 1_000} s`,
    hint: 'fewer episodes at once (--max-concurrent), shorter answers (--answer-tokens) or more time (--request-timeout)',
    cause,
  });
}
