// The file
export { type Ladder, type LadderEntry, type LadderSweep, readLadder } from './ladder-file.ts';
// What came of it
export { type LadderRow, type LadderSummary, makeLadderTable } from './ladder-summary.ts';
// Climbing it
export { type LadderOptions, runLadder } from './run-ladder.ts';
