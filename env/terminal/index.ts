export { type Played, Player, type Role } from './player.ts';
export type { Terminal } from './terminal.ts';
export { Terminals } from './terminals.ts';
