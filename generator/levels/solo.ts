import { makeCliffTask } from '../cliff/index.ts';
import type { Delegation } from './work.ts';

/** The agent does the job itself: a task of the cliff, depth D0 to D3. */
export const solo: Delegation = {
  make: ({ choices: { depth, tokens }, stream }) => {
    const seed = stream('work').int(2 ** 31);
    const { prompt, slots, plan, solutions } = makeCliffTask({ depth, ops: tokens, seed, profile: 'fair' });
    const script = solutions.oracle.flatMap(({ actions }) =>
      actions.flatMap((action) => (action.type === 'script' ? [action.script.split('\n')] : [])),
    );
    return { prompt, tokens, slots, plan, script: script[0] ?? [], sleeps: 0 };
  },
};
