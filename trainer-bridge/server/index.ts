export { type BridgeAddresses, BridgeServer, type BridgeServerOptions } from './bridge-server.ts';
