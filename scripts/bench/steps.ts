import { execFileSync } from 'node:child_process';
import { createGym, type Env } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

const spec = { depth: 0, ops: 64, profile: 'fair' } as const;

/**
 * Resets of prefetched tasks, and what a step costs beyond the run time of its own command (`bash -c :`, which is the
 * floor): launching, draining, settling and reading.
 */
export async function measureSteps({ resets, steps }: BenchPlan): Promise<readonly Figure[]> {
  await using gym = await createGym({ prefetchLimit: resets + 1 });
  const tasks = Array.from({ length: resets + 1 }, (_, seed) => makeCliffTask({ ...spec, ops: 2, seed }));
  gym.prefetch(tasks.map((task) => ({ task })));
  const resetTimes: number[] = [];
  // The one that was announced last comes first, unmeasured: once it is there, all are.
  for (const task of [...tasks.slice(-1), ...tasks.slice(0, -1)]) {
    await using env = gym.createEnv();
    resetTimes.push(await time(() => env.reset({ task })));
  }
  await using env = gym.createEnv();
  await env.reset({ task: makeCliffTask({ ...spec, seed: 0 }) });
  const own = measureShell(steps);
  const stepTimes = await measureNoops(env, steps);
  return [
    makeFigure({
      name: 'reset_warm_ms',
      unit: 'ms',
      values: resetTimes.slice(1),
      target: { of: 'median', relation: '<=', limit: 2 },
    }),
    makeFigure({
      name: 'step_overhead_ms',
      unit: 'ms',
      values: stepTimes.map((milliseconds) => milliseconds - own),
      floors: [own],
      target: { of: 'median', relation: '<=', limit: 7 },
    }),
  ];
}

async function measureNoops(env: Env, steps: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let step = 0; step < steps; step += 1) times.push(await time(() => env.step({ type: 'command', command: ':' })));
  return times;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Milliseconds of one `bash -c :`, started by a shell. */
function measureShell(count: number): number {
  const begin = performance.now();
  execFileSync('bash', ['-c', `for ((i = 0; i <= ${count}; i++)); do bash -c :; done`]);
  return (performance.now() - begin) / (count + 1);
}
