import { execa } from 'execa';
import pLimit from 'p-limit';
import { BoundaryError, createGym, type Task } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import { checkoutRoot } from '../checkout.ts';
import { progress } from '../output.ts';
import { type CpuMeter, createCpuMeter } from './cpu-meter.ts';
import { playOracle } from './episode.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

interface Pass {
  readonly cpuMs: number;
  readonly perSecond: number;
}

/** Episodes at once, for the gym and for the floor. */
const concurrency = 4;

/**
 * Graded oracle episodes over the 25-cell grid, sandbox and audit on, and the floor script beside each pass. CPU time
 * is that of all processes. The first pass of both warms up and is not counted.
 */
export async function measureGrid({ gridPasses }: BenchPlan): Promise<readonly Figure[]> {
  using meter = createCpuMeter();
  if (meter.kind === 'machine') progress('bench: no control group can be made: CPU time is that of the whole machine');
  await using gym = await createGym({ poolSize: concurrency });
  const ours: Pass[] = [];
  const floors: Pass[] = [];
  for (let pass = 0; pass <= gridPasses; pass += 1) {
    const floor = await measurePass(meter, runFloor);
    const mine = await measurePass(meter, async () => {
      const limit = pLimit(concurrency);
      const tasks = makeGrid(pass);
      await Promise.all(tasks.map((task) => limit(() => playOracle(gym, task))));
      return tasks.length;
    });
    progress(`bench: grid pass ${pass} of ${gridPasses}: ${formatPass(mine)}; floor ${formatPass(floor)}`);
    if (pass === 0) continue;
    ours.push(mine);
    floors.push(floor);
  }
  return [
    makeFigure({
      name: 'grid_cpu_ms_per_episode',
      unit: 'ms',
      values: ours.map(({ cpuMs }) => cpuMs),
      floors: floors.map(({ cpuMs }) => cpuMs),
      target: { of: 'ratio', relation: '<=', limit: 1.3 },
    }),
    makeFigure({
      name: 'grid_episodes_per_s',
      unit: '1/s',
      values: ours.map(({ perSecond }) => perSecond),
      floors: floors.map(({ perSecond }) => perSecond),
      target: { of: 'median', relation: '>=', limit: 25 },
    }),
  ];
}

function makeGrid(seed: number): readonly Task[] {
  const opCounts = [1, 2, 4, 8, 16];
  return [0, 1, 2, 3, 4].flatMap((depth) =>
    opCounts.map((ops) => makeCliffTask({ depth, ops, seed, profile: 'fair' })),
  );
}

async function measurePass(meter: CpuMeter, run: () => Promise<number>): Promise<Pass> {
  const [cpu, begin] = [meter.read(), performance.now()];
  const episodes = await run();
  const seconds = (performance.now() - begin) / 1000;
  return { cpuMs: (meter.read() - cpu) / episodes, perSecond: episodes / seconds };
}

async function runFloor(): Promise<number> {
  const script = `${checkoutRoot()}/scripts/bench/floor.sh`;
  const { stdout } = await execa('bash', [script, String(concurrency)], { timeout: 120_000 });
  const [cells, passed] = stdout.split(' ').map(Number);
  if (cells === undefined || cells !== passed) {
    throw new BoundaryError('tmux', { code: 'E_BENCH', what: 'The floor script failed', where: script, found: stdout });
  }
  return cells;
}

function formatPass({ cpuMs, perSecond }: Pass): string {
  return `${cpuMs.toFixed(0)} ms CPU an episode, ${perSecond.toFixed(1)}/s`;
}
