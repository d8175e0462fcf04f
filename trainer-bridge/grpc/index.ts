// The server

// A client for tests and measurements
export { GrpcClient } from './grpc-client.ts';
export { GrpcServer } from './grpc-server.ts';
export type { TlsFiles } from './tls-files.ts';
