import type { ContextOverflow } from './client.ts';
import { type Failure, modelError, timeoutError } from './failure.ts';
import type { Timer } from './timer.ts';

export interface Patience {
  /** Shown in messages. */
  readonly where: string;
  /** Repeats of a request that may pass later. */
  readonly maxRetries: number;
  /** Milliseconds for one request with its repeats and waits. */
  readonly requestTimeoutMs: number;
  readonly timer: Timer;
  /** Null for an error that is a bug, which is thrown as it is. */
  readonly readFailure: (error: unknown) => Failure | null;
}

export interface Asking {
  /** Spreads the waits of requests that fail together. */
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks until there is an answer, within the bounds. Waits as long as the server asks for, where its hint fits into the
 * time of the request, and gives up at once where it does not. Throws the signal's reason after its abort.
 */
export async function askPatiently<Value>(
  patience: Patience,
  { seed, signal: caller }: Asking,
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | ContextOverflow> {
  const { requestTimeoutMs, timer } = patience;
  const timeout = timer.timeout(requestTimeoutMs);
  const signal = AbortSignal.any([timeout, ...(caller === undefined ? [] : [caller])]);
  const leftMs = countDown(timer, requestTimeoutMs);
  for (let retry = 0; ; retry += 1) {
    try {
      signal.throwIfAborted();
      return await ask(signal);
    } catch (error) {
      caller?.throwIfAborted();
      if (timeout.aborted) throw timeoutError(patience.where, requestTimeoutMs, error);
      const failure = patience.readFailure(error);
      if (failure === null) throw error;
      if (failure.type === 'overflow') return { type: 'context-overflow', message: failure.message };
      await waitForRepeat(patience, { failure, error, retry, seed, leftMs: leftMs(), signal });
    }
  }
}

function countDown(timer: Timer, ms: number): () => number {
  const deadline = timer.now() + ms;
  return () => deadline - timer.now();
}

interface Attempt {
  readonly failure: Fatal;
  readonly error: unknown;
  /** Repeats so far. */
  readonly retry: number;
  readonly seed: number;
  readonly leftMs: number;
  readonly signal: AbortSignal;
}

/** Throws where there is to be no repeat. An abort during the wait is told by the next attempt. */
async function waitForRepeat({ where, maxRetries, timer }: Patience, attempt: Attempt): Promise<void> {
  const { failure, error, retry, seed, leftMs, signal } = attempt;
  const waitMs = waitBefore(failure, retry, seed);
  if (waitMs === null || retry >= maxRetries) throw modelError(failure, where, error);
  if (waitMs >= leftMs) throw modelError(tellWait(failure, waitMs), where, error);
  try {
    await timer.sleep(waitMs, signal);
  } catch (reason) {
    if (!signal.aborted) throw reason;
  }
}

type Fatal = Exclude<Failure, { readonly type: 'overflow' }>;

/** Null where a repeat would say the same. */
function waitBefore(failure: Fatal, retry: number, seed: number): number | null {
  if (failure.type !== 'refused') return backoffMs(retry, seed);
  if (!failure.passing) return null;
  return failure.retryAfterMs ?? backoffMs(retry, seed);
}

/** Half a second, doubled up to eight; spread over a quarter below, so that requests which failed together come apart. */
function backoffMs(retry: number, seed: number): number {
  return Math.min(8_000, 500 * 2 ** retry) * (1 - (seed % 251) / 1_004);
}

function tellWait(failure: Fatal, waitMs: number): Fatal {
  return { ...failure, message: `${failure.message} (to be repeated after ${Math.ceil(waitMs / 1_000)} s)` };
}
