// The contract

// The core
export { BridgeCore } from './bridge-core.ts';
export { type CoreLimits, type CoreOptions, defaultLimits } from './core-options.ts';
// Records
export { EpisodeJournal } from './episode-journal.ts';
// Splits
export { loadCeiling } from './load-ceiling.ts';
export { type CoreObserver, joinObservers, silentObserver } from './observer.ts';
// Refusals
export { BusyError, type Refusal, RemoteError, toRefusal } from './refusal.ts';
export {
  type ActRequest,
  type BridgeService,
  type CreateRequest,
  type DescribeRequest,
  type Description,
  type EpisodeStart,
  type EventService,
  type EventSubscriber,
  type EventsRequest,
  type GradeRequest,
  type Health,
  type ListedTask,
  type ListRequest,
  protocolVersion,
  type ScoreScriptsRequest,
  type TaskPage,
  type TaskRef,
} from './service.ts';
export type { SplitCeiling, SplitGate } from './split-gate.ts';
