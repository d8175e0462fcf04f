export { formatEventId, parseEventId } from './event-id.ts';
export { makeEventTask } from './event-task.ts';
export { levels } from './levels.ts';
export { type Overrides, overrideKeys } from './override.ts';
export { choicesOf, type EventSpec } from './spec.ts';
