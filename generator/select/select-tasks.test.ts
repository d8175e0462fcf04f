import { expect, test } from 'vitest';
import { selectTasks } from './select-tasks.ts';
import type { TaskFlags } from './task-flags.ts';

const ids = (flags: TaskFlags) => [...selectTasks(flags)].map(({ id }) => id);

test('selectTasks() gives the published grid with three seeds, when nothing is asked for', () => {
  const tasks = selectTasks({});
  expect(tasks.count()).toBe(75);
  expect([...tasks]).toHaveLength(75);
  expect([...tasks]).toEqual([...tasks]);
});

test('selectTasks() makes one task at a time, when the ranges are astronomical', () => {
  const tasks = selectTasks({ seeds: '0-9007199254740991' });
  expect(tasks[Symbol.iterator]().next().value?.id).toBe('cliff-d0-n1-s0');
  expect(selectTasks({ ops: '1-64', seeds: '0-9' }).count()).toBe(3200);
});

test('selectTasks() cuts into shards that share nothing and are the whole, when there are three', () => {
  const shards = ['1/3', '2/3', '3/3'].map((shard) => selectTasks({ limit: 20, shard }));
  expect(shards.map((shard) => shard.count())).toEqual([7, 7, 6]);
  expect(shards.flatMap((shard) => [...shard].map(({ id }) => id)).toSorted()).toEqual(ids({ limit: 20 }).toSorted());
});

test('selectTasks() leaves out what a split holds out, when tasks are chosen by ranges', () => {
  const tasks = selectTasks({ split: 'cliff:train', seeds: '0' });
  expect([...new Set([...tasks].map(({ depth }) => depth))]).toEqual([0, 1, 2]);
  expect(tasks.count()).toBe(15);
  expect(tasks.split?.name).toBe('train');
});

test('selectTasks() takes what the split says, when the default of an axis has nothing in common with it', () => {
  const arms = (flags: TaskFlags) => new Set([...selectTasks(flags)].map(({ axes }) => axes?.arm));
  const told = { suite: 'events', split: 'train-told', kinds: 'bell', levels: 'E0', seeds: '0' };
  expect(arms(told)).toEqual(new Set(['told']));
  expect(() => selectTasks({ ...told, arms: 'event' })).toThrow(expect.objectContaining({ code: 'E_EMPTY' }));
});

test('selectTasks() refuses a held-out task, when it is named', () => {
  const flags = { split: 'cliff:train', tasks: ['cliff-d1-n1-s1,cliff-d3-n1-s1'] };
  expect(() => ids(flags)).toThrow(expect.objectContaining({ code: 'E_SPLIT' }));
});

test.each<[TaskFlags, string]>([
  [{ depths: 'D7' }, 'E_DEPTH'],
  [{ ops: '0' }, 'E_OPS'],
  [{ seeds: 'x' }, 'E_RANGE'],
  [{ suite: 'nothing' }, 'E_SUITE'],
  [{ profile: 'modern' }, 'E_PROFILE'],
  [{ kinds: 'bell' }, 'E_AXIS'],
  [{ limit: 0 }, 'E_LIMIT'],
  [{ shard: '0/2' }, 'E_SHARD'],
  [{ shard: '3/2' }, 'E_SHARD'],
  [{ tasks: ['missing.jsonl'] }, 'E_TASKS'],
  [{ tasks: ['cliff-d9-n1-s1'] }, 'E_DEPTH'],
  [{ tasks: ['cliff-d0-n1-s1'], depths: 'D1' }, 'E_EMPTY'],
  [{ depths: 'D3', split: 'cliff:train' }, 'E_EMPTY'],
  [{ split: 'cliff:nothing' }, 'E_SPLIT_NAME'],
  [{ split: 'nowhere:train' }, 'E_SPLIT_FILE'],
])('selectTasks() names the mistake, when the flags are %o', (flags, code) => {
  expect(() => selectTasks(flags)).toThrow(expect.objectContaining({ code }));
});
