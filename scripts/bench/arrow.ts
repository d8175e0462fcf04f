import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Row, writeArrow } from '../../rollout/index.ts';
import { type Figure, makeFigure } from './figure.ts';
import type { BenchPlan } from './plan.ts';

/** Step rows of a text loop, written to the disk as an Arrow IPC stream. */
export async function measureArrow({ seconds }: BenchPlan): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muxgym-bench-'));
  const rows = Math.round(100_000 * seconds);
  const rates: number[] = [];
  try {
    for (let pass = 0; pass <= 3; pass += 1) {
      const begin = performance.now();
      await writeArrow(join(folder, 'steps.arrow'), 'steps', makeRows(rows));
      if (pass > 0) rates.push(rows / ((performance.now() - begin) / 1000));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const target = { of: 'median', relation: '>=', limit: 100_000 } as const;
  return [makeFigure({ name: 'arrow_rows_per_s', unit: '1/s', values: rates, target })];
}

function* makeRows(count: number): Iterable<Row> {
  for (let index = 0; index < count; index += 1) {
    yield {
      episode: `0123456789abcdef-oracle-${index >> 3}`,
      task_hash: '0'.repeat(64),
      sample: 0,
      attempt: 0,
      step: 1 + (index & 7),
      action_type: 'command',
      action: '{"type":"command","command":"tmux capture-pane -p -t main:river17"}',
      tick: 1 + (index & 7),
      observation: 'river17 is up\ntoken: 01234567\nqueue: 17 waiting\n',
      exit_code: 0,
      cut_bytes: 0,
      wall_ticks: 0,
      action_cut: false,
    };
  }
}
