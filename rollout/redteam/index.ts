export { attack, type Seen } from './attack.ts';
export { exploits } from './catalogue.ts';
export type { Exploit } from './exploit.ts';
export { type HostileEpisode, makeHostileEpisode } from './fuzz/hostile-script.ts';
export { type FuzzFinding, type FuzzOptions, type FuzzReport, runFuzz } from './fuzz/run-fuzz.ts';
export type { RedTeamRow } from './row.ts';
export { type RedTeamOptions, runRedTeam, selectExploits } from './run-red-team.ts';
export { prepareScript } from './script.ts';
export { taskOf } from './tasks.ts';
