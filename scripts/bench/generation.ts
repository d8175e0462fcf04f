import { hashTask } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

const opCounts = [1, 2, 4, 8, 16];

/** Cliff tasks made, each with its content hash, per second of CPU time, over the published grid. */
export function measureGeneration({ seconds }: BenchPlan): Promise<readonly Figure[]> {
  let seed = 0;
  const measure = () => {
    const begin = process.cpuUsage();
    let count = 0;
    for (const end = performance.now() + seconds * 1000; performance.now() < end; seed += 1) {
      for (const ops of opCounts) hashTask(makeCliffTask({ depth: seed % 5, ops, seed, profile: 'fair' }));
      count += opCounts.length;
    }
    const { user, system } = process.cpuUsage(begin);
    return count / ((user + system) / 1e6);
  };
  measure();
  const rates = Array.from({ length: 3 }, measure);
  const target = { of: 'median', relation: '>=', limit: 20_000 } as const;
  return Promise.resolve([makeFigure({ name: 'cliff_tasks_per_s', unit: '1/s', values: rates, target })]);
}
