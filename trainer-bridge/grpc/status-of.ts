import { status } from '@grpc/grpc-js';
import type { Refusal } from '../core/index.ts';

const statuses: Readonly<Record<string, status>> = {
  E_ACTION: status.INVALID_ARGUMENT,
  E_BUSY: status.RESOURCE_EXHAUSTED,
  E_CANCELLED: status.CANCELLED,
  E_CLIENT: status.INVALID_ARGUMENT,
  E_DELIVERY: status.FAILED_PRECONDITION,
  E_DRAINING: status.UNAVAILABLE,
  E_ENDED: status.FAILED_PRECONDITION,
  E_EPISODE: status.NOT_FOUND,
  E_LEASE: status.FAILED_PRECONDITION,
  E_METHOD: status.UNIMPLEMENTED,
  E_PROTOBUF: status.INVALID_ARGUMENT,
  E_PROTOCOL: status.FAILED_PRECONDITION,
  E_REQUEST: status.INVALID_ARGUMENT,
  E_SEQUENCE: status.FAILED_PRECONDITION,
  E_SIZE: status.RESOURCE_EXHAUSTED,
  E_SPLIT: status.PERMISSION_DENIED,
  E_TASK: status.NOT_FOUND,
};

/** The gRPC status beside a refusal: broken machinery is INTERNAL, an unlisted refusal INVALID_ARGUMENT. */
export function statusOf(refusal: Refusal): status {
  return statuses[refusal.code] ?? (refusal.boundary === null ? status.INVALID_ARGUMENT : status.INTERNAL);
}
