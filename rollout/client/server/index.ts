export { type Checkpoint, readCheckpoint } from './checkpoint.ts';
export { makeVllmCommand, type ServerCommand, type ServerKind, serverKinds } from './command.ts';
export {
  type ModelServer,
  type ModelServerOptions,
  type ServerStart,
  startModelServer,
  startServer,
} from './model-server.ts';
