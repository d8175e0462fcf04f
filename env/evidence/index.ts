export { type EventOutcome, type EventResult, eventOutcomes, eventResultSchema } from './event-result.ts';
export type { Ending } from './event-watch.ts';
export { Evidence } from './evidence.ts';
export type { Flag } from './tamper.ts';
