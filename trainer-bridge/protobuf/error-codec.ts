import type { Boundary } from '../../env/index.ts';
import type { Refusal } from '../core/index.ts';
import { errorType } from './schema.ts';

/** `Error` of gym.proto. */
interface WireError {
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs: number;
  readonly boundary: string;
  readonly hint: string;
}

export function encodeRefusal(refusal: Refusal): Uint8Array {
  return errorType.encode({ ...refusal, boundary: refusal.boundary ?? '' }).finish();
}

/** The literals are taken as the server sent them. */
export function decodeRefusal(bytes: Uint8Array): Refusal {
  const { code, message, retryAfterMs, boundary, hint } = errorType.decode(bytes) as unknown as WireError;
  return { code, message, retryAfterMs, hint, boundary: boundary === '' ? null : (boundary as Boundary) };
}
