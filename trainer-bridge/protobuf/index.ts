// Servers
export { Dispatcher } from './dispatcher.ts';
// Both sides
export { decodeRefusal, encodeRefusal } from './error-codec.ts';
export { decodeNotice, encodeEventsRequest, eventsMethod } from './event-codec.ts';
// Clients
export { type Carry, makeRemoteService } from './remote-service.ts';
export { methodTypes, protoFile, protoFolder, serviceName } from './schema.ts';
