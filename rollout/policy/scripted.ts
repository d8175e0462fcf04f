import type { Action, RunKey } from '../../env/index.ts';
import type { Play, Seat } from '../loop/index.ts';
import type { Assignment, Player, Policy } from './policy.ts';

/** The actions of one episode: a function of the task and the sample alone. */
export type Script = (assignment: Assignment) => readonly Action[];

/** A policy that knows its actions beforehand: it takes them in order, then says that it is done. */
export function makeScriptedPolicy(name: string, script: Script, config: Policy['config'] = {}): Policy {
  return { name, config, context: {}, model: null, open: async () => makeScriptedPlayer(script) };
}

export function makeScriptedPlayer(script: Script, runKey?: RunKey): Player {
  return {
    model: null,
    ...(runKey === undefined ? {} : { runKey }),
    play: (seat) => playActions(seat, script(seat)),
    isReachable: async () => true,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function playActions({ env, signal }: Seat, actions: readonly Action[]): Promise<Play> {
  for (const action of [...actions, { type: 'done' } as const]) {
    if (signal.aborted) return { turns: [], truncatedBy: 'time' };
    const step = await env.step(action);
    if (step.terminated || step.truncated !== false) break;
  }
  return { turns: [], truncatedBy: null };
}
