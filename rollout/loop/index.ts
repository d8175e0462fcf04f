// The contract
export type { Loop, LoopOptions, Play, Sampling, Seat } from './loop.ts';
// Words of the loops
export { formatObservation } from './observation-text.ts';
export { readPrompt } from './prompt.ts';
// Leaves
export { createLoop, type LoopName, loopNames } from './registry.ts';
// Reading answers
export { parseScriptBlock, type ScriptBlock } from './script-block.ts';
export { makeSeed, type SeedPlace } from './seed.ts';
export { parseTextDirective, type TextDirective } from './text-directive.ts';
export { toolDefinitions } from './tool-call.ts';
// What is kept of a model's answers
export { readTurn, type Turn, turnSchema } from './turn.ts';
