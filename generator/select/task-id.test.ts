import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCliffId } from '../cliff/index.ts';
import { makeTask, parseTaskId } from './task-id.ts';

test('parseTaskId() reads what formatCliffId() wrote, when the spec is any place of the grid', () => {
  const spec = fc.record({
    depth: fc.integer({ min: 0, max: 4 }),
    ops: fc.integer({ min: 1, max: 64 }),
    seed: fc.maxSafeNat(),
    profile: fc.constant('fair' as const),
  });
  fc.assert(
    fc.property(spec, (place) => {
      expect(parseTaskId(formatCliffId(place))).toEqual(place);
    }),
  );
});

test('makeTask() makes the task of that name, when the id is well formed', () => {
  expect(makeTask('cliff-d3-n8-s42')).toMatchObject({ id: 'cliff-d3-n8-s42', depth: 3, ops: 8, seed: 42 });
});

test.each([
  ['cliff.classic-d3-n8-s42', 'E_PROFILE'],
  ['cliff-d7-n8-s42', 'E_DEPTH'],
  ['cliff-d3-n0-s42', 'E_OPS'],
  ['cliff-d3-n65-s42', 'E_OPS'],
  ['cliff-d3-n8-s9007199254740992', 'E_SEED'],
  ['cliff-d3-n8-s-1', 'E_TASK_ID'],
  ['cliff-d3-n08-s42', 'E_TASK_ID'],
  ['cliff-d3-n8', 'E_TASK_ID'],
  ['cliff-d3-n8-s42~x=1', 'E_TASK_ID'],
  ['events-bell-e1-k1-s7', 'E_SUITE'],
  ['', 'E_TASK_ID'],
])('parseTaskId() refuses "%s", when it names no task of this generator', (id, code) => {
  expect(() => parseTaskId(id)).toThrow(expect.objectContaining({ code }));
});
