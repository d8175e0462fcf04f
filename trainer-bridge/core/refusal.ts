import { type Boundary, BoundaryError, type ErrorFacts, formatFacts, InputError } from '../../env/index.ts';

/** A refusal as it travels: plain data, the same on every wire. */
export interface Refusal {
  /** Stable, such as `E_SPLIT`; listed in trainer-bridge/README.md. */
  readonly code: string;
  readonly message: string;
  /** 0 unless a later try may succeed. */
  readonly retryAfterMs: number;
  /** The part of the machinery that failed; null where the caller was refused. */
  readonly boundary: Boundary | null;
  readonly hint: string;
}

/** Nothing is wrong, only not now: `E_BUSY` under load, `E_DRAINING` before the end. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  readonly code: string;
  readonly facts: ErrorFacts;
  /** How long to wait before the next try, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(facts: ErrorFacts, retryAfterMs: number) {
    super(formatFacts(facts), { cause: facts.cause });
    this.code = facts.code;
    this.facts = facts;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A refusal that came over a wire, as the TypeScript clients throw it. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: string;
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.code = refusal.code;
    this.refusal = refusal;
  }
}

/** What a caller is told about an error. Anything that is not one of ours is a bug of the bridge: `E_INTERNAL`. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof RemoteError) return error.refusal;
  if (error instanceof BusyError) return makeRefusal(error.facts, null, error.retryAfterMs);
  if (error instanceof InputError) return makeRefusal(error.facts, null, 0);
  if (error instanceof BoundaryError) return makeRefusal(error.facts, error.boundary, 0);
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'E_INTERNAL', message, retryAfterMs: 0, boundary: 'bridge', hint: '' };
}

function makeRefusal(facts: ErrorFacts, boundary: Boundary | null, retryAfterMs: number): Refusal {
  return { code: facts.code, message: formatFacts(facts), retryAfterMs, boundary, hint: facts.hint ?? '' };
}

const exhausted = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOSPC']);

/** Whether an error goes back to the machine being out of descriptors, processes, memory or space. */
export function isExhaustion(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && exhausted.has(cause.code)) return true;
  }
  return false;
}
