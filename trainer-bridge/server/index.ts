export { type BridgeAddresses, BridgeServer, type BridgeServerOptions } from './bridge-server.ts';
export { resolveRunKey } from './run-key.ts';
