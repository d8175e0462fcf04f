import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGym, type Gym, type Task } from '../../env/index.ts';
import { makeTask, selectTasks } from '../select/index.ts';
import { runSolution } from './run-solution.ts';
import { validateTasks } from './validate-tasks.ts';

let gym: Gym;
beforeAll(async () => {
  gym = await createGym();
});
afterAll(() => gym.close());

const checksOf = async (...tasks: Task[]) => {
  const { failed, ...counts } = await validateTasks(tasks, gym, { concurrency: 4 });
  return { ...counts, checks: failed.map(({ task, check }) => `${task} ${check}`) };
};

test('validateTasks() proves every depth, when N is 1, 2 and 5', async () => {
  const tasks = selectTasks({ ops: '1,2,5', seeds: '3' });
  expect(await validateTasks(tasks, gym)).toEqual({ tasks: 15, ok: 15, failed: [] });
});

test('validateTasks() names the check, when oracle, naive and wrong are exchanged', async () => {
  const task = makeTask('cliff-d1-n2-s1');
  const { oracle, naive, wrong } = task.solutions;
  const planted = {
    ...task,
    solutions: { oracle: [{ ...wrong, name: 'planted' }] as const, naive: oracle[0]!, wrong: naive },
  };
  expect(await checksOf(makeTask('cliff-d0-n1-s1'), planted as Task)).toEqual({
    tasks: 2,
    ok: 1,
    checks: ['cliff-d1-n2-s1 hash', 'cliff-d1-n2-s1 oracle:planted', 'cliff-d1-n2-s1 naive'],
  });
});

test('validateTasks() ends its episodes and throws, when the source of tasks breaks', async () => {
  function* source() {
    yield makeTask('cliff-d0-n1-s1');
    throw new RangeError('torn');
  }
  await expect(validateTasks(source(), gym)).rejects.toThrow('torn');
  expect(gym.live).toBe(0);
});

test('validateTasks() stops before the next task, when its signal is aborted', async () => {
  const controller = new AbortController();
  const tasks = selectTasks({ depths: 'D0', ops: '1', seeds: '0-99' });
  const seen: string[] = [];
  const onTask = ({ id }: Task) => {
    seen.push(id);
    controller.abort(new Error('enough'));
  };
  const options = { concurrency: 1, onTask, signal: controller.signal };
  await expect(validateTasks(tasks, gym, options)).rejects.toThrow('enough');
  expect(seen).toEqual(['cliff-d0-n1-s0']);
});

test('runSolution() pays nothing for everything in sight, when the depth is D3', async () => {
  await using env = gym.createEnv();
  const task = makeTask('cliff-d3-n4-s1');
  expect(await runSolution(env, task, task.solutions.naive)).toMatchObject({
    outcome: 'scored',
    reward: 0,
    passed: false,
  });
});

test('runSolution() pays half, when one of two tokens is reported', async () => {
  await using env = gym.createEnv();
  const task = makeTask('cliff-d1-n2-s1');
  const [first = ''] = /@\w+/.exec(task.prompt) ?? [];
  const script = `tmux show-options -gv ${first} > $REPORT`;
  const half = { name: 'half', actions: [{ type: 'script' as const, script }] };
  expect(await runSolution(env, task, half)).toMatchObject({ outcome: 'scored', reward: 0.5, passed: false });
});
