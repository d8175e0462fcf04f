import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { makeCliffTask } from '../../generator/index.ts';
import { makePolicy, runEpisodes } from '../../rollout/index.ts';
import { checkoutRoot } from '../checkout.ts';
import { progress } from '../output.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

/** Episodes at once, and milliseconds until the double of a model answers. */
const concurrency = 64;
const latencyMs = 200;

/**
 * How much of the time a model is busy while 64 episodes play at once: at least one request under way, between the first
 * request and the last answer, as a double of a model server (rollout/ladder/model-double.mjs) sees it.
 */
export async function measureOverlap({ resets }: BenchPlan): Promise<readonly Figure[]> {
  const double = join(checkoutRoot(), 'rollout', 'ladder', 'model-double.mjs');
  const server = execa(process.execPath, [double, '--port', '0', '--latency', String(latencyMs)], { reject: false });
  const folder = await mkdtemp(join(tmpdir(), 'muxgym-bench-'));
  try {
    const [line] = await once(server.stdout, 'data');
    const port = /on port (\d+)/.exec(String(line))?.[1] ?? '';
    const origin = `http://127.0.0.1:${port}`;
    const count = concurrency * Math.max(2, Math.round(resets / 16));
    await runEpisodes({
      folder,
      policy: makePolicy('openai', { baseUrl: `${origin}/v1` }),
      tasks: Array.from({ length: count }, (_, seed) => makeCliffTask({ depth: 0, ops: 1, seed, profile: 'fair' })),
      maxConcurrent: concurrency,
      signal: new AbortController().signal,
      onProgress: progress,
    });
    const use = useSchema.parse(await (await fetch(`${origin}/double`)).json());
    const share = use.busyMs / (use.last - use.first);
    const target = { of: 'median', relation: '>=', limit: 0.95 } as const;
    return [makeFigure({ name: 'overlap_model_busy_share', unit: '', values: [share], target })];
  } finally {
    server.kill();
    await server;
    await rm(folder, { recursive: true });
  }
}

const useSchema = z.object({ busyMs: z.number(), first: z.number(), last: z.number() });
