export { DebugLog, type LogEntry } from './debug-log.ts';
export { type PaneId, parsePaneId } from './id.ts';
export { listPanesCommand, type PaneState, parsePanes, type TmuxCommand, TmuxServer } from './server.ts';
