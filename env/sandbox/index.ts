// The isolation ladder
export { createSandboxFactory, type FactoryOptions, type SandboxFactories } from './create-sandbox-factory.ts';
// The agent's commands
export { type Exit, heldSocket, type Launched, LauncherGone } from './launcher.ts';
// Who owns a folder
export { currentOwner, isAlive, type Owner } from './owner.ts';
// Waiting
export { pause } from './pause.ts';
export { readStat, readState } from './process-stat.ts';
export type { ProcessView } from './process-view.ts';
export { isAtLeast, type Rung, rungs } from './rung.ts';
export type { Sandbox, SandboxEnd, SandboxFactory, SandboxOptions } from './sandbox.ts';
// For the red team
export { createWeakenedFactory } from './weakened/create-weakened-factory.ts';
export type { Weakness } from './weakened/weakness.ts';
