import { BoundaryError, type Env, type Gym, type Task } from '../../env/index.ts';

/** One episode of the task's first oracle. Throws a BoundaryError unless it passes: the figures count passed ones only. */
export async function playOracle(gym: Gym, task: Task): Promise<void> {
  await using env = gym.createEnv();
  await env.reset({ task });
  await finishOracle(env, task);
}

/** The rest of an episode that was reset to the task. Throws as `playOracle` does. */
export async function finishOracle(env: Env, task: Task): Promise<void> {
  const [oracle] = task.solutions.oracle;
  for (const action of oracle?.actions ?? []) await env.step(action);
  const grade = await env.grade();
  if (grade.passed) return;
  const found = `${grade.outcome}, reward ${grade.reward}, ${grade.failure ?? grade.flags.join(' ')}`;
  throw new BoundaryError('task', { code: 'E_BENCH', what: 'An oracle did not pass', where: task.id, found });
}
