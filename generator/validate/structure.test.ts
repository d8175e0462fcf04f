import { expect, test } from 'vitest';
import type { Task } from '../../env/index.ts';
import { makeTask } from '../select/index.ts';
import { findStructureFailures } from './structure.ts';

const task = makeTask('cliff-d3-n2-s7');
const checksOf = (changed: Task) => findStructureFailures(changed).map(({ check }) => check);

test('findStructureFailures() is empty, when the task is as generated', () => {
  for (const depth of [0, 1, 2, 3, 4]) expect(checksOf(makeTask(`cliff-d${depth}-n4-s1`))).toEqual([]);
});

test('findStructureFailures() names the hash, when a task is not what its id makes', () => {
  expect(checksOf({ ...task, prompt: 'Something else' })).toEqual(['hash']);
  expect(checksOf({ ...task, id: 'mine' as Task['id'] })).toEqual(['hash']);
  expect(checksOf({ ...task, generator: '0.0.1' })).toEqual(['hash']);
});

test('findStructureFailures() names the prompt, when it shows a slot or a token', () => {
  expect(checksOf({ ...task, prompt: 'Report {{slot:0}}' })).toContain('prompt');
  expect(checksOf({ ...task, prompt: 'Report 0badcafe' })).toContain('prompt');
});

test('findStructureFailures() names the slots, when one is unused, used twice or unknown', () => {
  expect(checksOf({ ...task, slots: task.slots + 1 })).toContain('slots');
  expect(checksOf({ ...task, plan: [...task.plan, ...task.plan.slice(0, 1)] })).toContain('slots');
  const checks = task.checks.map((check) => ({ ...check, expect: ['{{slot:99}}'] }));
  expect(checksOf({ ...task, checks })).toContain('slots');
});
