import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashTask, taskSchema } from './index.ts';
import { seedSchema } from './task.ts';

const golden = JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')) as Record<
  string,
  unknown
>;
const task = taskSchema.parse(golden);

const reverseKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
};

describe('hashTask()', () => {
  test('gives the recorded hash, when the task is the golden one', () => {
    expect(hashTask(task)).toBe('c306b4f39b7adafe819ca2924e940634724e6bb9c67e6c57e0717bb2993e22d4');
  });

  test('does not depend on the order of keys', () => {
    const reversed = reverseKeys(golden);
    expect(JSON.stringify(reversed)).not.toBe(JSON.stringify(golden));
    expect(hashTask(taskSchema.parse(reversed))).toBe(hashTask(task));
  });

  test('changes, when any field changes', () => {
    const others = [
      { ...task, seed: 8 },
      { ...task, prompt: `${task.prompt} ` },
      { ...task, generator: 'golden-2' },
      { ...task, limits: { ...task.limits, ticks: 121 } },
      { ...task, plan: task.plan.slice(1) },
      { ...task, plan: [...task.plan].reverse() },
    ];
    expect(new Set([task, ...others].map(hashTask)).size).toBe(others.length + 1);
  });
});

describe('taskSchema', () => {
  const arbitrary = fc.record({
    seed: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    prompt: fc.string({ minLength: 1, unit: 'binary' }),
    depth: fc.option(fc.integer({ min: 0, max: 4 })),
    ops: fc.option(fc.integer({ min: 1, max: 64 })),
    plan: fc.array(
      fc.oneof(
        fc.record({
          type: fc.constant('file'),
          path: fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,3}$/),
          content: fc.string({ unit: 'binary' }),
        }),
        fc.record({ type: fc.constant('option'), name: fc.stringMatching(/^@[a-z]{1,8}$/), value: fc.string() }),
        fc.record({ type: fc.constant('window'), name: fc.stringMatching(/^[a-z]{1,8}$/) }),
      ),
      { maxLength: 5 },
    ),
  });

  test('round-trips through JSON with the same hash', () => {
    fc.assert(
      fc.property(arbitrary, (fields) => {
        const parsed = taskSchema.parse({ ...golden, ...fields });
        const again = taskSchema.parse(JSON.parse(JSON.stringify(parsed)));
        expect(again).toEqual(parsed);
        expect(hashTask(again)).toBe(hashTask(parsed));
      }),
    );
  });

  test.each([
    ['an unknown field', { extra: 1 }],
    ['an empty id', { id: '' }],
    ['an unknown pillar', { pillar: 'D' }],
    ['depth 5', { depth: 5 }],
    ['65 operations', { ops: 65 }],
    ['a fractional seed', { seed: 1.5 }],
    ['no checks', { checks: [] }],
    ['events', { events: [{}] }],
    ['no oracle', { solutions: { ...task.solutions, oracle: [] } }],
    ['no steps', { limits: { ...task.limits, steps: 0 } }],
    ['observations over 64 KiB', { limits: { ...task.limits, observationBytes: 65_537 } }],
  ])('refuses %s', (_, fields) => {
    expect(taskSchema.safeParse({ ...golden, ...fields }).success).toBe(false);
  });

  test.each([
    ['an absolute path', { type: 'file', path: '/etc/passwd', content: '' }],
    ['a path with ..', { type: 'file', path: 'a/../../b', content: '' }],
    ['a hidden file', { type: 'file', path: '.bashrc', content: '' }],
    ['an option that is not a user option', { type: 'option', name: 'status', value: 'off' }],
    ['a window name with a space', { type: 'window', name: 'a b' }],
    ['a window name that tmux would read as a target', { type: 'window', name: '=main:1.0' }],
    [
      'a screen line that would wrap',
      { type: 'worker', name: 'w', screen: ['x'.repeat(191)], dead: null, restart: [] },
    ],
    ['a status above 239', { type: 'worker', name: 'w', screen: [], dead: { status: 240 }, restart: [] }],
    ['an unknown operation', { type: 'shell', command: 'true' }],
  ])('refuses a plan with %s', (_, operation) => {
    expect(taskSchema.safeParse({ ...golden, plan: [operation] }).success).toBe(false);
  });
});

describe('seedSchema', () => {
  test('takes exact integers only', () => {
    expect(seedSchema.parse(0)).toBe(0);
    expect(seedSchema.parse(Number.MAX_SAFE_INTEGER)).toBe(2 ** 53 - 1);
    for (const bad of [-1, 2 ** 53, 0.1, '7', null, Number.NaN, 7n])
      expect(seedSchema.safeParse(bad).success).toBe(false);
  });
});
