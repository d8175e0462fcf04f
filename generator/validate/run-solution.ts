import type { Action, Env, Grade, Solution, Task } from '../../env/index.ts';

/**
 * Plays a solution to its end in an episode of its own, says done and gives the grade; stops early where the episode
 * was truncated. Throws what `env.reset` throws; a masked grade is returned as it is.
 */
export async function runSolution(env: Env, task: Task, solution: Solution, sample = 0): Promise<Grade> {
  await env.reset({ task, sample });
  const actions: readonly Action[] = [...solution.actions, { type: 'done' }];
  for (const action of actions) {
    const step = await env.step(action);
    if (step.terminated || step.truncated !== false) break;
  }
  return env.grade();
}
