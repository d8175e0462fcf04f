import { hashTask, type Task } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

const opCounts = [1, 2, 4, 8, 16];

/** Cliff tasks per second of CPU time, over the published grid: made, and made with their content hash. */
export function measureGeneration({ seconds }: BenchPlan): Promise<readonly Figure[]> {
  const target = { of: 'median', relation: '>=', limit: 20_000 } as const;
  const made = measureRates(seconds, () => undefined);
  const hashed = measureRates(seconds, hashTask);
  return Promise.resolve([
    makeFigure({ name: 'cliff_tasks_per_s', unit: '1/s', values: made, target }),
    makeFigure({ name: 'cliff_tasks_hashed_per_s', unit: '1/s', values: hashed }),
  ]);
}

/** The first measurement warms up. */
function measureRates(seconds: number, use: (task: Task) => unknown): readonly number[] {
  let seed = 0;
  const measure = () => {
    const begin = process.cpuUsage();
    let count = 0;
    for (const end = performance.now() + seconds * 1000; performance.now() < end; seed += 1) {
      for (const ops of opCounts) use(makeCliffTask({ depth: seed % 5, ops, seed, profile: 'fair' }));
      count += opCounts.length;
    }
    const { user, system } = process.cpuUsage(begin);
    return count / ((user + system) / 1e6);
  };
  measure();
  return Array.from({ length: 3 }, measure);
}
