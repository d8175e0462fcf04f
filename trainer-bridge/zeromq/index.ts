// The server
export { type CurveServerKeys, readCurveKeys } from './curve-keys.ts';
// A client for tests and measurements
export { ZeromqClient } from './zeromq-client.ts';
export { ZeromqServer } from './zeromq-server.ts';
