export { type BlankWorld, createBlankWorld, isHealthy } from './blank-world.ts';
export { poseTask, type World } from './world.ts';
