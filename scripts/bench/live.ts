import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { createGym, type Env, type Task } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import { progress } from '../output.ts';
import { finishOracle } from './episode.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

/** Episodes that are opened, or played to their end, at once. */
const concurrency = 4;
const promised = 1_000;

/**
 * Episodes that live at once in one gym: all are opened, then each is played by its oracle and graded; those that do not
 * pass are lost, and lower the figure. What one takes of the machine's memory (processes, files in memory, the kernel's part, our own) is the fall of
 * `MemAvailable` while all live, and needs a quiet machine.
 */
export async function measureLive({ live }: BenchPlan): Promise<readonly Figure[]> {
  await using gym = await createGym();
  const limit = pLimit(concurrency);
  const before = readAvailableMb();
  const open = async (task: Task): Promise<Env> => {
    const env = gym.createEnv();
    await env.reset({ task });
    return env;
  };
  const tasks = Array.from({ length: live }, (_, seed) => makeCliffTask({ depth: 1, ops: 2, seed, profile: 'fair' }));
  const opened = await Promise.allSettled(tasks.map((task) => limit(async () => ({ task, env: await open(task) }))));
  const envs = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const eachMb = (before - readAvailableMb()) / envs.length;
  progress(`bench: ${envs.length} episodes live, ${eachMb.toFixed(1)} MB each`);
  const ended = await Promise.allSettled(envs.map(({ task, env }) => limit(() => finishOracle(env, task))));
  for (const each of [...opened, ...ended]) if (each.status === 'rejected') progress(`bench: lost: ${each.reason}`);
  return [
    makeFigure({
      name: 'live_episodes',
      unit: '',
      values: [ended.filter(({ status }) => status === 'fulfilled').length],
      // A quick run opens fewer, and says nothing of the promise.
      ...(live < promised ? {} : { target: { of: 'median', relation: '>=', limit: promised } }),
    }),
    makeFigure({
      name: 'live_episode_mb',
      unit: 'MB',
      values: [eachMb],
      target: { of: 'median', relation: '<=', limit: 12 },
    }),
  ];
}

function readAvailableMb(): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error('Cannot read MemAvailable from /proc/meminfo');
  return (Number(kilobytes) * 1_024) / 1e6;
}
