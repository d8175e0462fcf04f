export { formatCliffId, makeCliffTask } from './cliff-task.ts';
export { type Profile, profiles } from './registry.ts';
export { type CliffSpec, parseProfile } from './spec.ts';
export { generatorVersion } from './version.ts';
