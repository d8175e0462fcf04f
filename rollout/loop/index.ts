// The contract
export type { Loop, Play, Sampling, Seat } from './loop.ts';
// Leaves
export { createLoop, type LoopName, loopNames } from './registry.ts';
// Reading answers
export { parseScriptBlock, type ScriptBlock } from './script-block.ts';
// What is kept of a model's answers
export { type Turn, turnSchema } from './turn.ts';
