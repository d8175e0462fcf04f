export { type BlankWorld, createBlankWorld, isHealthy } from './blank-world.ts';
export { type Answer, FrozenWorld } from './frozen-world.ts';
export { type ShellAnswer, ShellProbes } from './shell-probe.ts';
export { type Play, poseTask, type World } from './world.ts';
