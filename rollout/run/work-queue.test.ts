import { describe, expect, test } from 'vitest';
import { parseRunning } from './server-watch.ts';
import { makeWorkUse, WorkQueue } from './work-queue.ts';

describe('WorkQueue', () => {
  test('run() lets so many pieces at a time, in the order of asking, and hands on what they give and throw', async () => {
    const queue = new WorkQueue(2);
    const use = makeWorkUse();
    const began: number[] = [];
    const release: (() => void)[] = [];
    const piece = (index: number) =>
      queue.run(async () => {
        began.push(index);
        await new Promise<void>((resolve) => release.push(resolve));
        if (index === 2) throw new Error('broke');
        return index;
      }, use);
    const all = Promise.allSettled([0, 1, 2, 3].map(piece));
    await expect.poll(() => began).toEqual([0, 1]);
    release[0]?.();
    await expect.poll(() => began).toEqual([0, 1, 2]);
    release[1]?.();
    await expect.poll(() => began).toEqual([0, 1, 2, 3]);
    for (const end of release) end();
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(use.workMs).toBeGreaterThanOrEqual(queue.busyMs);
    expect(use.waitMs).toBeGreaterThan(0);
  });

  test('run() takes the lowest rank first, and of one rank who asked first', async () => {
    const queue = new WorkQueue(1);
    const order: string[] = [];
    const piece = (name: string, rank: number) => queue.run(async () => void order.push(name), makeWorkUse(), rank);
    await Promise.all([
      piece('first', 5),
      piece('old', 3),
      piece('older', 2),
      piece('older again', 2),
      piece('reset', 0),
    ]);
    expect(order).toEqual(['first', 'reset', 'older', 'older again', 'old']);
    await piece('after', 9);
    expect(order).toHaveLength(6);
  });
});

describe('parseRunning()', () => {
  test('adds the engines of vLLM, and gives null for other metrics', () => {
    const metrics = [
      '# TYPE vllm:num_requests_running gauge',
      'vllm:num_requests_running{engine="0",model_name="m"} 3.0',
      'vllm:num_requests_running{engine="1",model_name="m"} 1.0',
      'vllm:num_requests_waiting{engine="0",model_name="m"} 7.0',
    ].join('\n');
    expect(parseRunning(metrics)).toBe(4);
    expect(parseRunning('vllm:num_requests_running 0\n')).toBe(0);
    expect(parseRunning('process_cpu_seconds_total 3\n')).toBeNull();
  });
});
