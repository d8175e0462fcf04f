import type { EventNotice } from '../../env/index.ts';
import type { EventsRequest } from '../core/index.ts';
import { methodTypes } from './schema.ts';
import { checkMessage } from './strict-check.ts';
import { noticeFromWire, type WireNotice } from './wire-event.ts';

/** The method of gym.proto whose replies are a stream. */
export const eventsMethod = 'Events';

const types = methodTypes.get(eventsMethod);
if (types === undefined) throw new Error(`Cannot find method ${eventsMethod} in gym.proto`);
const { request: requestType, reply: noticeType } = types;

/** Throws `E_PROTOBUF` with the place. */
export function decodeEventsRequest(bytes: Uint8Array): EventsRequest {
  checkMessage(requestType, bytes);
  const { client, episode } = requestType.decode(bytes) as unknown as EventsRequest;
  return { client, episode };
}

export function encodeEventsRequest({ client, episode }: EventsRequest): Uint8Array {
  return requestType.encode({ client, episode }).finish();
}

export function encodeNotice(notice: EventNotice): Uint8Array {
  return noticeType.encode(notice).finish();
}

export function decodeNotice(bytes: Uint8Array): EventNotice {
  return noticeFromWire(noticeType.decode(bytes) as unknown as WireNotice);
}
