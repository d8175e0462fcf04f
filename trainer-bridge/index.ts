// Serving a gym

// The service in process
export {
  BridgeCore,
  type BridgeService,
  BusyError,
  type CoreLimits,
  type CoreOptions,
  defaultLimits,
  loadCeiling,
  protocolVersion,
  type Refusal,
  RemoteError,
  type SplitCeiling,
  type SplitGate,
  toRefusal,
} from './core/index.ts';
// Clients for tests and measurements
export { GrpcClient, type TlsFiles } from './grpc/index.ts';
export { makeRemoteService } from './protobuf/index.ts';
export { type BridgeAddresses, BridgeServer, type BridgeServerOptions, resolveRunKey } from './server/index.ts';
export { type CurveServerKeys, readCurveKeys, ZeromqClient } from './zeromq/index.ts';
