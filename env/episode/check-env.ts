import { InputError } from '../errors.ts';
import type { Action, Task } from '../task/index.ts';
import type { Env, EpisodeSummary } from './env.ts';
import { observationSchema } from './observation.ts';
import type { Step } from './step.ts';

/**
 * Proves that an env keeps its contract on a task, as Gymnasium's `check_env` does: refusals before reset and after the
 * end, well-formed steps, a reward of 0 for doing nothing that is below the oracle's 1, the same observations for the
 * same actions, closing twice. Takes over the env and closes it. Returns what it found wrong, one sentence each.
 */
export async function checkEnv(env: Env, task: Task): Promise<readonly string[]> {
  const findings: string[] = [];
  const expect = (holds: boolean, finding: string): void => {
    if (!holds) findings.push(`${task.id}: ${finding}`);
  };
  expect(await isRefused(() => env.step({ type: 'done' })), 'step() before reset() must be refused with E_NO_EPISODE');
  await checkDoingNothing(env, task, expect);
  const oracle = task.solutions.oracle[0]?.actions ?? [];
  const first = await play(env, task, oracle, expect);
  const second = await play(env, task, oracle, expect);
  expect(first.grade.reward === 1 && first.grade.passed, `the oracle must score 1, not ${first.grade.reward}`);
  expect(first.observationHash === second.observationHash, 'the same actions must give the same observations');
  await env.close();
  await env.close();
  return findings;
}

type Expect = (holds: boolean, finding: string) => void;

async function checkDoingNothing(env: Env, task: Task, expect: Expect): Promise<void> {
  const { observation, info } = await env.reset({ task });
  expect(observationSchema.safeParse(observation).success, 'reset() must give a well-formed observation');
  expect(info.prompt === task.prompt && info.tick === 0, 'reset() must give the prompt at tick 0');
  const step = await env.step({ type: 'done' });
  expect(step.terminated && step.truncated === false, 'done must terminate the episode, not truncate it');
  expect(step.reward !== null && step.reward < 1, `doing nothing must score below 1, not ${step.reward}`);
  expect(await isRefused(() => env.step({ type: 'done' })), 'step() after the end must be refused with E_NO_EPISODE');
  expect((await env.grade()).reward === step.reward, 'grade() must repeat the reward of the last step');
}

async function play(env: Env, task: Task, actions: readonly Action[], expect: Expect): Promise<EpisodeSummary> {
  await env.reset({ task });
  for (const action of actions) {
    const step = await env.step(action);
    checkStep(step, expect);
    if (step.terminated || step.truncated !== false) break;
  }
  await env.grade();
  return env.summary();
}

function checkStep({ observation, reward, terminated, truncated, info }: Step, expect: Expect): void {
  expect(observationSchema.safeParse(observation).success, 'step() must give a well-formed observation');
  expect(reward === null || Number.isFinite(reward), `a reward must be finite or null, not ${reward}`);
  const ended = terminated || truncated !== false;
  expect(ended === (info.grade !== null), 'a step must carry the grade exactly where the episode ended');
  expect(ended || reward === 0, 'a step in the middle must have reward 0');
}

async function isRefused(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return false;
  } catch (error) {
    if (error instanceof InputError) return error.code === 'E_NO_EPISODE';
    throw error;
  }
}
