export { type Checkpoint, readCheckpoint } from './checkpoint.ts';
export { type ServerKind, serverKinds } from './command.ts';
export { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.ts';
