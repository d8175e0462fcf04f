import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCliffId } from '../cliff/index.ts';
import { parseCliffId } from './cliff-id.ts';
import { isTaskId, makeTask, parseTaskId, suites } from './registry.ts';

test('parseCliffId() reads what formatCliffId() wrote, when the spec is any place of the grid', () => {
  const spec = fc.record({
    depth: fc.integer({ min: 0, max: 4 }),
    ops: fc.integer({ min: 1, max: 64 }),
    seed: fc.maxSafeNat(),
    profile: fc.constantFrom('fair' as const, 'classic' as const),
  });
  fc.assert(
    fc.property(spec, (place) => {
      expect(parseCliffId(formatCliffId(place))).toEqual(place);
    }),
  );
});

test('makeTask() makes the task of that name, when the id is well formed', () => {
  expect(makeTask('cliff-d3-n8-s42')).toMatchObject({ id: 'cliff-d3-n8-s42', depth: 3, ops: 8, seed: 42 });
  const classic = 'cliff.classic-d3-n8-s42';
  expect(makeTask(classic)).toMatchObject({ id: classic, profile: 'classic', depth: 3, ops: 8, seed: 42 });
});

test('makeTask() knows every suite by its example, when asked for it', () => {
  for (const { example } of suites) expect(makeTask(example).id).toBe(example);
});

test('isTaskId() tells ids by their form, when they are ours, wrong or of another data set', () => {
  expect(['cliff-d3-n8-s42', 'cliff.classic-d0-n1-s1', 'cliff-d9-n1-s1'].map(isTaskId)).toEqual([true, true, true]);
  expect(['gsm8k-17', 'cliffhanger', ''].map(isTaskId)).toEqual([false, false, false]);
});

test.each([
  ['cliff.modern-d3-n8-s42', 'E_PROFILE'],
  ['cliff.fair-d3-n8-s42', 'E_TASK_ID'],
  ['cliff-d7-n8-s42', 'E_DEPTH'],
  ['cliff-d3-n0-s42', 'E_OPS'],
  ['cliff-d3-n65-s42', 'E_OPS'],
  ['cliff-d3-n8-s9007199254740992', 'E_SEED'],
  ['cliff-d3-n8-s-1', 'E_TASK_ID'],
  ['cliff-d3-n08-s42', 'E_TASK_ID'],
  ['cliff-d3-n8', 'E_TASK_ID'],
  ['cliff-d3-n8-s42~x=1', 'E_TASK_ID'],
  ['', 'E_TASK_ID'],
])('parseTaskId() refuses "%s", when it names no task of this generator', (id, code) => {
  expect(() => parseTaskId(id)).toThrow(expect.objectContaining({ code }));
});
