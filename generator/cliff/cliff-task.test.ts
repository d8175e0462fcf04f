import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Task, taskSchema } from '../../env/index.ts';
import { makeCliffTask } from './cliff-task.ts';
import { depths } from './registry.ts';
import { words } from './words.ts';

const make = (depth: number, ops: number, seed: number) => makeCliffTask({ depth, ops, seed, profile: 'fair' });
const windows = (task: Task) => task.plan.flatMap((operation) => (operation.type === 'worker' ? [operation] : []));
const textOf = (task: Task) => JSON.stringify({ prompt: task.prompt, plan: task.plan, solutions: task.solutions });

describe('golden', () => {
  test.each([0, 1, 2, 3, 4])('makeCliffTask() gives the frozen bytes, when the depth is D%i', (depth) => {
    const frozen = readFileSync(new URL(`../golden/cliff-d${depth}-n2-s7.json`, import.meta.url), 'utf8');
    expect(`${JSON.stringify(make(depth, 2, 7), null, 2)}\n`).toBe(frozen);
  });
});

describe.each([0, 1, 2, 3, 4])('depth D%i', (depth) => {
  const tasks = [1, 2, 3, 4, 8, 16, 33, 64].flatMap((ops) =>
    Array.from({ length: 12 }, (_, seed) => make(depth, ops, seed)),
  );

  test('makeCliffTask() gives a valid task, when N is from 1 to 64', () => {
    for (const task of tasks) expect(taskSchema.parse(JSON.parse(JSON.stringify(task)))).toEqual(task);
  });

  test('makeCliffTask() uses each slot once in the plan and expects the first N, when N is from 1 to 64', () => {
    for (const task of tasks) {
      const used = [...JSON.stringify(task.plan).matchAll(/\{\{slot:(\d+)\}\}/g)].map(([, digits]) => Number(digits));
      expect(used.toSorted((a, b) => a - b)).toEqual(Array.from({ length: task.slots }, (_, index) => index));
      expect(task.checks[0]!.expect).toEqual(Array.from({ length: task.ops! }, (_, index) => `{{slot:${index}}}`));
    }
  });

  test('makeCliffTask() writes nothing that looks like a token, when the text is prompt, plan or solution', () => {
    for (const task of tasks) expect(textOf(task)).not.toMatch(/[0-9a-fA-F]{8}/);
  });

  test('makeCliffTask() says nothing of slots in the prompt, when N is from 1 to 64', () => {
    for (const task of tasks) expect(task.prompt).not.toContain('{{');
  });

  test('makeCliffTask() keeps prompts under 90 words, when N is at most 4', () => {
    for (const task of tasks.filter(({ ops }) => ops! <= 4)) expect(task.prompt.split(/\s+/).length).toBeLessThan(90);
  });

  test('makeCliffTask() names every place in the prompt, when N is from 1 to 64', () => {
    for (const { prompt, plan, ops } of tasks) {
      const names = plan.flatMap((operation) =>
        'path' in operation ? operation.path : 'name' in operation ? operation.name : [],
      );
      expect(names.filter((name) => prompt.split(/\s/).includes(name))).toHaveLength(ops!);
    }
  });

  test('makeCliffTask() uses every wording, when seeds vary', () => {
    const used = new Set(Array.from({ length: 60 }, (_, seed) => make(depth, 2, seed).paraphrase));
    expect(used.size).toBe(depths.fair[depth]!.wordings.length);
    expect(used.size).toBeGreaterThanOrEqual(3);
  });

  test('makeCliffTask() gives equal bytes twice and other ones for other seeds, when seeds are neighbours', () => {
    const lines = Array.from({ length: 200 }, (_, seed) => JSON.stringify(make(depth, 2, seed).plan));
    expect(lines).toEqual(Array.from({ length: 200 }, (_, seed) => JSON.stringify(make(depth, 2, seed).plan)));
    expect(new Set(lines).size).toBe(200);
  });
});

test('makeCliffTask() hides the named windows among at least as many decoys of the same look, when the depth is D3', () => {
  for (const ops of [1, 2, 5, 64]) {
    const task = make(3, ops, 9);
    const decoys = windows(task).filter(({ name }) => !task.prompt.split(/\s/).includes(name));
    expect(decoys).toHaveLength(Math.max(ops, 2));
    for (const { screen } of windows(task))
      expect(screen.filter((line) => /^token: \{\{slot:\d+\}\}$/.test(line))).toHaveLength(1);
  }
});

test('makeCliffTask() places decoys before, between and after the named windows, when seeds vary', () => {
  const orders = Array.from({ length: 60 }, (_, seed) =>
    windows(make(3, 1, seed)).findIndex(({ screen }) => screen.includes('token: {{slot:0}}')),
  );
  expect(new Set(orders)).toEqual(new Set([0, 1, 2]));
});

test('makeCliffTask() shows a token only after a restart, when the depth is D4', () => {
  const task = make(4, 16, 3);
  expect(task.debugLog).toBe(true);
  for (const { screen, restart, dead } of windows(task)) {
    expect(screen.join('\n')).not.toContain('{{');
    expect(restart.join('\n')).toMatch(/^token: \{\{slot:\d+\}\}$/m);
    expect(dead).not.toBeNull();
  }
});

test('makeCliffTask() allows for a second of sleep a token in one action, when N is from 1 to 64', () => {
  for (const ops of [1, 64]) expect(make(4, ops, 0).limits.ticksPerAction).toBeGreaterThanOrEqual(ops + 30);
});

test.each([
  [{ depth: 7, ops: 1, seed: 0 }, 'E_DEPTH'],
  [{ depth: 0, ops: 0, seed: 0 }, 'E_OPS'],
  [{ depth: 0, ops: 1, seed: -1 }, 'E_SEED'],
  [{ depth: 0, ops: 1, seed: 2 ** 53 }, 'E_SEED'],
  [{ depth: 0.5, ops: 1, seed: 0 }, 'E_DEPTH'],
])('makeCliffTask() refuses %o, when a coordinate is outside of the grid', (place, code) => {
  expect(() => makeCliffTask({ ...place, profile: 'fair' })).toThrow(expect.objectContaining({ code }));
});

test('words are 256 different plain words, when names are made from them', () => {
  expect(new Set(words).size).toBe(256);
  for (const word of words) expect(word).toMatch(/^(?=.*[g-z])[a-z]{3,9}$/);
});
