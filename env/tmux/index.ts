export { DebugLog } from './debug-log.ts';
export { type PaneId, parsePaneId, type WindowId } from './id.ts';
export type { LogEntry, Subject } from './log-entry.ts';
export type { WindowPlace } from './log-parser.ts';
export { listPanesCommand, type PaneState, parsePanes, type TmuxCommand, TmuxServer } from './server.ts';
