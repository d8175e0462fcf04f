/**
 * The isolation ladder, strongest first. `bubblewrap`: own pid, network, ipc, uts and mount namespaces. `uid`: one user
 * id an episode, for containers that refuse namespaces. `bare`: the gym's own user; smoke tests only, never training.
 */
export const rungs = ['bubblewrap', 'uid', 'bare'] as const;
export type Rung = (typeof rungs)[number];

/** Whether `rung` isolates at least as well as `least`. */
export function isAtLeast(rung: Rung, least: Rung): boolean {
  return rungs.indexOf(rung) <= rungs.indexOf(least);
}
