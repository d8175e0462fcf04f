// The server

// A client for tests and measurements
export { GrpcClient, type GrpcClientOptions } from './grpc-client.ts';
export { errorKey, GrpcServer, type GrpcServerOptions } from './grpc-server.ts';
export type { TlsFiles } from './tls-files.ts';
