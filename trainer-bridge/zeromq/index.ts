// The server
export { type CurveServerKeys, readCurveKeys } from './curve-keys.ts';
// A client for tests and measurements
export { ZeromqClient, type ZeromqClientOptions } from './zeromq-client.ts';
export { ZeromqServer, type ZeromqServerOptions } from './zeromq-server.ts';
