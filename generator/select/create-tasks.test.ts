import { describe, expect, test } from 'vitest';
import { explainOutside, loadSplit, parseAxes } from '../split/index.ts';
import { createTasks, type TaskListOptions } from './create-tasks.ts';

const head = (options: TaskListOptions, count = 20) =>
  Array.from({ length: count }, (_, place) => createTasks(options)[place]!.id);

describe('createTasks()', () => {
  test('gives the same task by place, by at() and in order, when asked in any order', () => {
    const tasks = createTasks({ suite: 'cliff', seed: 42, size: 50 });
    expect(tasks.size).toBe(50);
    const listed = [...tasks];
    expect(listed).toHaveLength(50);
    for (const place of [49, 0, 5, 31]) {
      expect(tasks[place]).toEqual(listed[place]);
      expect(tasks.at(place)).toEqual(listed[place]);
    }
    expect(tasks[50]).toBeUndefined();
    expect(tasks[-1]).toBeUndefined();
    expect(50 in tasks).toBe(false);
    expect(() => tasks.at(50)).toThrow(expect.objectContaining({ code: 'E_INDEX' }));
    expect(() => tasks.at(0.5)).toThrow(expect.objectContaining({ code: 'E_INDEX' }));
  });

  test('has no end, when neither size nor seeds are given', () => {
    const tasks = createTasks({ depths: 'D1', ops: '2' });
    expect(tasks.size).toBe(Number.POSITIVE_INFINITY);
    expect(tasks[1_000_000]).toMatchObject({ depth: 1, ops: 2 });
    let taken = 0;
    for (const task of tasks) {
      expect(task.depth).toBe(1);
      taken += 1;
      if (taken === 30) break;
    }
  });

  test('begins alike for every size and holds no task twice, when the seed is the same', () => {
    expect(head({ seed: 7, size: 100 })).toEqual(head({ seed: 7 }));
    expect(new Set([...createTasks({ seed: 7, size: 2_000 })].map(({ id }) => id)).size).toBe(2_000);
  });

  test('shares no task with the list of a neighbouring seed, when there is room', () => {
    const left = new Set([...createTasks({ seed: 1, size: 500 })].map(({ id }) => id));
    expect([...createTasks({ seed: 2, size: 500 })].filter(({ id }) => left.has(id))).toEqual([]);
  });

  test('goes round the cells, when there are several', () => {
    const cells = [...createTasks({ depths: 'D0-D1', ops: '1,2', size: 8 })].map(({ depth, ops }) => `${depth}/${ops}`);
    expect(cells).toEqual(['0/1', '0/2', '1/1', '1/2', '0/1', '0/2', '1/1', '1/2']);
  });

  test('is all there are, when the seeds are bounded', () => {
    const tasks = createTasks({ depths: 'D0', ops: '1,2', seeds: '10-14,99', seed: 3 });
    expect(tasks.size).toBe(12);
    const seeds = [...tasks].filter(({ ops }) => ops === 1).map(({ seed }) => seed);
    expect(seeds.toSorted((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 99]);
  });

  test('holds nothing that the split holds out, when one is given', () => {
    const tasks = createTasks({ split: 'cliff:train', size: 60 });
    expect(new Set([...tasks].map(({ depth }) => depth))).toEqual(new Set([0, 1, 2]));
    expect(createTasks({ depths: 'D0', gates: [loadSplit('train-ops15')], ops: '15-16', size: 4 })[3]).toMatchObject({
      ops: 15,
    });
  });

  test('finds what a gate without axes lets through, when it can only be asked', () => {
    const axes = parseAxes({ paraphrases: '2' }, String);
    const gates = [{ explain: (task: Parameters<typeof explainOutside>[0]) => explainOutside(task, axes) }];
    const tasks = createTasks({ depths: 'D0', ops: '1', gates, seeds: '0-99' });
    const expected = [...createTasks({ depths: 'D0', ops: '1', seeds: '0-99' })].filter((one) => one.paraphrase === 2);
    expect(tasks.size).toBe(expected.length);
    expect(tasks[3]).toEqual(expected[3]);
    expect([...createTasks({ depths: 'D0', ops: '1', paraphrases: '2', seeds: '0-99' })]).toEqual(expected);
  });

  test.each<[TaskListOptions, string]>([
    [{ suite: 'nothing' }, 'E_SUITE'],
    [{ seed: -1 }, 'E_SEED'],
    [{ seed: 2 ** 53 }, 'E_SEED'],
    [{ size: 0 }, 'E_LIST_SIZE'],
    [{ size: 1.5 }, 'E_LIST_SIZE'],
    [{ seeds: '0-9', depths: 'D0', ops: '1', size: 11 }, 'E_LIST_SIZE'],
    [{ depths: 'D3', split: 'cliff:train' }, 'E_EMPTY'],
    [{ depths: 'D0', ops: '1', paraphrases: '50', seeds: '0-99' }, 'E_EMPTY'],
    [{ levels: 'E1' }, 'E_AXIS'],
    [{ kinds: 'rain' }, 'E_AXIS'],
  ])('names the mistake, when the options are %o', (options, code) => {
    expect(() => createTasks(options)).toThrow(expect.objectContaining({ code }));
  });
});
