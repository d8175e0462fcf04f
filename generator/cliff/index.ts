export { formatCliffId, makeCliffTask } from './cliff-task.ts';
export { type CliffSpec, parseProfile } from './spec.ts';
export { generatorVersion } from './version.ts';
