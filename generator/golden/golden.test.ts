import { describe, expect, test } from 'vitest';
import type { Task } from '../../env/index.ts';
import { generatorVersion } from '../cliff/index.ts';
import { makeTask } from '../select/index.ts';
import { explainGolden, findGoldenChanges, readGolden } from './golden.ts';
import { goldenIds } from './golden-ids.ts';

const golden = readGolden();
const make = new Map(goldenIds().map((id) => [id, makeTask(id)]));
const planted = (change: (task: Task) => Task) => (id: string) => change(make.get(id)!);

describe('golden tasks', () => {
  test('explainGolden() has nothing to say, when the generator makes every frozen hash', () => {
    expect(Object.keys(golden.hashes)).toEqual(goldenIds());
    expect(goldenIds().length).toBeGreaterThanOrEqual(500);
    const refusal = explainGolden(golden, findGoldenChanges(golden));
    expect(refusal?.message ?? null).toBeNull();
  });

  test('explainGolden() says that results move, when one letter of a prompt is changed', () => {
    const change = planted((task) =>
      task.depth === 2 ? { ...task, prompt: task.prompt.replace('window', 'Window') } : task,
    );
    const changes = findGoldenChanges(golden, change);
    expect(changes.length).toBeGreaterThan(50);
    for (const { task } of changes) expect(task).toContain('-d2-');
    const refusal = explainGolden(golden, changes);
    expect(refusal).toMatchObject({ code: 'E_GOLDEN' });
    expect(refusal?.message).toContain(`Results move: ${changes.length} of `);
  });

  test('findGoldenChanges() names the task, when anything of one task is changed', () => {
    const id = 'cliff-d4-n2-s7';
    const changes: readonly ((task: Task) => Task)[] = [
      (task) => ({ ...task, limits: { ...task.limits, steps: task.limits.steps + 1 } }),
      (task) => ({ ...task, plan: task.plan.toReversed() }),
      (task) => ({ ...task, slots: task.slots + 1 }),
      (task) => ({ ...task, solutions: { ...task.solutions, naive: task.solutions.wrong } }),
    ];
    for (const change of changes) {
      const found = findGoldenChanges(
        golden,
        planted((task) => (task.id === id ? change(task) : task)),
      );
      expect(found.map(({ task }) => task)).toEqual([id]);
    }
  });

  test('explainGolden() names both versions, when the hashes are of another generator', () => {
    expect(explainGolden({ ...golden, generator: '0.0.1' }, [])?.facts).toMatchObject({
      code: 'E_GOLDEN',
      expected: `generator ${generatorVersion}`,
      found: 'generator 0.0.1',
    });
  });
});
