import { execFileSync } from 'node:child_process';
import { createGym, eventKinds, type Gym, type Task } from '../../env/index.ts';
import { makeCliffTask, makeEventTask } from '../../generator/index.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

const spec = { depth: 0, ops: 64, profile: 'fair' } as const;
/** One of each kind in which nothing fires: the server's log is read at each step, and a heartbeat beats in one. */
const eventTasks = eventKinds.map((kind) => makeEventTask({ kind, level: 1, count: 1, seed: 0, arm: 'none' }));

/**
 * Resets of prefetched tasks, and what a step costs beyond the run time of its own command (`bash -c :`, which is the
 * floor): launching, draining and reading; settling stands apart on the cliff, and is included in event tasks.
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
  const own = measureShell(steps);
  const cliff = await playNoops(gym, makeCliffTask({ ...spec, seed: 0 }), steps);
  const events: number[] = [];
  const beats: number[] = [];
  for (const task of eventTasks) {
    const { stepTimes } = await playNoops(gym, task, Math.ceil(steps / eventTasks.length));
    events.push(...stepTimes);
    if (task.events.some(({ kind }) => kind === 'silence')) beats.push(...stepTimes);
  }
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
      values: cliff.stepTimes.map((milliseconds) => milliseconds - own - cliff.settleMs),
      floors: [own],
      target: { of: 'median', relation: '<=', limit: 2 },
    }),
    makeFigure({ name: 'step_settling_ms', unit: 'ms', values: [cliff.settleMs], floors: [own] }),
    makeFigure({
      name: 'event_step_overhead_ms',
      unit: 'ms',
      values: events.map((milliseconds) => milliseconds - own),
      floors: [own],
      target: { of: 'median', relation: '<=', limit: 7 },
    }),
    // Those of them in which four panes print at each tick: what is printed settles a second time.
    makeFigure({
      name: 'heartbeat_step_overhead_ms',
      unit: 'ms',
      values: beats.map((milliseconds) => milliseconds - own),
      floors: [own],
    }),
  ];
}

/** Times of steps that do nothing, and the mean time of a step's settling. */
async function playNoops(
  gym: Gym,
  task: Task,
  steps: number,
): Promise<{ readonly stepTimes: readonly number[]; readonly settleMs: number }> {
  await using env = gym.createEnv();
  await env.reset({ task });
  const stepTimes: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    stepTimes.push(await time(() => env.step({ type: 'command', command: ':' })));
  }
  await env.grade();
  return { stepTimes, settleMs: env.summary().settleMs / steps };
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
