import { expect, test } from 'vitest';
import { hashTask } from '../../env/index.ts';
import { createTasks, loadSplit } from '../../generator/index.ts';
import { Dispatcher, makeRemoteService } from '../protobuf/index.ts';
import type { BridgeService, EventService, ListRequest } from './service.ts';
import { TaskLister } from './task-lister.ts';

const request: ListRequest = { client: 'c', suite: '', seed: 42, size: 0, ranges: {}, from: 0, count: 3 };
const list = (changes: Partial<ListRequest>, ...splits: string[]) =>
  new TaskLister().list({ ...request, ...changes }, [null, ...splits.map(loadSplit)]);
const codeOf = (code: string) => expect.objectContaining({ code });

test('TaskLister gives the tasks of createTasks() with their hashes, when asked for a page', () => {
  const tasks = createTasks({ seed: 42, size: 100 });
  const page = list({ size: 100, from: 98, count: 5 });
  expect(page.size).toBe(100);
  expect(page.tasks).toEqual([98, 99].map((place) => ({ task: tasks.at(place), hash: hashTask(tasks.at(place)) })));
  expect(list({ size: 100, from: 100 }).tasks).toEqual([]);
  expect(list({}).size).toBeNull();
});

test('TaskLister leaves out what any split holds out, when several hold', () => {
  const depths = (...splits: string[]) => new Set(list({ count: 256 }, ...splits).tasks.map(({ task }) => task.depth));
  expect(depths('cliff:train')).toEqual(new Set([0, 1, 2]));
  expect(depths('cliff:train', 'train-d0d1')).toEqual(new Set([0, 1]));
  expect(() => list({ ranges: { depths: 'D3' } }, 'cliff:train')).toThrow(codeOf('E_EMPTY'));
});

test('TaskLister keeps lists of equal words apart, when their splits differ', () => {
  const lister = new TaskLister();
  const ids = (split: string) => lister.list(request, [loadSplit(split)]).tasks.map(({ task }) => task.id);
  expect(ids('train-d0d1')).not.toEqual(ids('holdout-d3d4'));
  for (let seed = 0; seed < 40; seed++) lister.list({ ...request, seed }, []);
  expect(ids('train-d0d1')).toEqual(ids('train-d0d1'));
});

test('TaskLister refuses, when a page is too long or the words are wrong', () => {
  expect(() => list({ count: 257 })).toThrow(codeOf('E_SIZE'));
  expect(() => list({ ranges: { depths: 'D7' } })).toThrow(codeOf('E_DEPTH'));
  expect(() => list({ suite: 'nothing' })).toThrow(codeOf('E_SUITE'));
});

test('list() arrives whole, when it crosses the wire with the largest numbers', async () => {
  const seen: ListRequest[] = [];
  const lister = new TaskLister();
  const service: Pick<BridgeService, 'list'> = {
    list: async (wire) => {
      seen.push(wire);
      return lister.list(wire, []);
    },
  };
  const dispatcher = new Dispatcher(service as BridgeService & EventService, 1 << 20);
  const remote = makeRemoteService((method, payload) => dispatcher.handle(method, payload));
  const largest = { ...request, seed: Number.MAX_SAFE_INTEGER, ranges: { depths: 'D0', seeds: '5-7' }, size: 9 };
  expect(await remote.list({ ...largest, from: 2 ** 40, size: 15 })).toEqual({ tasks: [], size: 15 });
  expect(await remote.list(largest)).toEqual(lister.list(largest, []));
  expect((await remote.list(request)).size).toBeNull();
  expect(seen[1]).toEqual(largest);
});
