import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGym, type Gym } from '../../env/index.ts';
import { makeTask } from '../select/index.ts';
import { validateTasks } from './validate-tasks.ts';

let gym: Gym;
beforeAll(async () => {
  gym = await createGym();
});
afterAll(() => gym.close());

const validate = (...ids: readonly string[]) => validateTasks(ids.map(makeTask), gym, { concurrency: 3 });

test.each(['death', 'activity', 'silence', 'bell', 'completion', 'interrupt'])(
  'validateTasks() proves the three arms, when the kind is %s',
  { timeout: 120_000 },
  async (kind) => {
    const id = `events-${kind}-e1-k1-s5`;
    expect(await validate(id, `${id}+none`, `${id}+told`)).toEqual({ tasks: 3, ok: 3, failed: [] });
  },
);

test('validateTasks() proves a mixed task, when its job is done by helpers of a helper', {
  timeout: 120_000,
}, async () => {
  const id = 'events-mixed-e1-k3-s5~delegation=nested';
  expect(await validate(id)).toEqual({ tasks: 1, ok: 1, failed: [] });
});

test('validateTasks() names the oracle, when it notices nothing', { timeout: 120_000 }, async () => {
  const task = makeTask('events-death-e0-k1-s5');
  const { naive } = task.solutions;
  const planted = {
    ...task,
    solutions: { ...task.solutions, oracle: [naive], naive: task.solutions.oracle[0] ?? naive },
  };
  const { failed } = await validateTasks([planted], gym);
  expect(failed.map(({ check }) => check)).toEqual(['hash', 'oracle:look-away', 'naive']);
  expect(failed.at(-1)?.expected).toBe('not passed, reward below 1, every event never-perceived');
});
