export { Player } from './player.ts';
export type { Cue, Note, Role } from './role.ts';
export type { Terminal } from './terminal.ts';
export { Terminals } from './terminals.ts';
