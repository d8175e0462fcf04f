// The contract
export type { Loop, LoopOptions, Play, Sampling, Seat } from './loop.ts';
// Leaves
export { createLoop, type LoopName, loopNames } from './registry.ts';
// Reading answers
export { parseScriptBlock, type ScriptBlock } from './script-block.ts';
export { makeSeed, type SeedPlace } from './seed.ts';
export { parseTextDirective, type TextDirective } from './text-directive.ts';
// What is kept of a model's answers
export { readTurn, type Turn, turnSchema } from './turn.ts';
