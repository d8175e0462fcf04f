export { formatEventId, parseEventId } from './event-id.ts';
export { makeEventTask } from './event-task.ts';
export type { Level, LevelChoices } from './level.ts';
export { levels } from './levels.ts';
export type { Overrides } from './override.ts';
export { choicesOf, type EventSpec } from './spec.ts';
