export { formatCliffId, makeCliffTask } from './cliff-task.ts';
export type { Depth, DepthRequest, DepthTask, Wording } from './depth.ts';
export { depths } from './registry.ts';
export { type CliffSpec, parseProfile, validateCliffSpec } from './spec.ts';
export { generatorVersion } from './version.ts';
