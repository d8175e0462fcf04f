import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGym, type Grade, type Gym, type Solution, type Task } from '../../env/index.ts';
import { runSolution } from '../validate/index.ts';
import { loadTaskFolder } from './load-tasks.ts';

const tasks = loadTaskFolder(fileURLToPath(new URL('published', import.meta.url)));
const taskOf = (id: string): Task => tasks.find((task) => task.id === id)!;

let gym: Gym;
beforeAll(async () => {
  gym = await createGym();
});
afterAll(() => gym.close());

const play = async (task: Task, solution: Solution): Promise<Grade> => {
  await using env = gym.createEnv();
  return await runSolution(env, task, solution);
};
const script = (text: string): Solution => ({ name: 'script', actions: [{ type: 'script', script: text }] });
const readCheck = (grade: Grade, id: string) => grade.checks.find((check) => check.id === id);

test.each(tasks.map((task) => [task.id, task] as const))(
  '%s passes by its reference and not by nothing',
  async (_, task) => {
    expect(task.instrument).toBe('shell');
    expect(await play(task, task.solutions.oracle[0]!)).toMatchObject({ outcome: 'scored', passed: true });
    expect(await play(task, { name: 'nothing', actions: [] })).toMatchObject({ outcome: 'scored', passed: false });
  },
);

test('all ten operators hold, and a query past its time counts as failed with its weight', async () => {
  const task = taskOf('A-OPS-901');
  const grade = await play(task, task.solutions.oracle[0]!);
  expect(grade.checks.filter(({ ok }) => ok).map(({ id }) => id)).toEqual(
    task.checks.flatMap(({ id }) => (id === 'bonus' ? [] : [id])),
  );
  expect(readCheck(grade, 'bonus')).toMatchObject({ ok: false, value: null, note: 'timeout' });
  expect(grade).toMatchObject({ reward: 0.5, passed: true });
});

test('setup sleeps for real, and $AGENT_CMDLOG holds what the agent ran and nothing of setup', async () => {
  const task = taskOf('B-DIE-901');
  const grade = await play(task, task.solutions.oracle[0]!);
  expect(Number(readCheck(grade, 'real-sleep')?.value)).toBeGreaterThanOrEqual(600);
  const naive = await play(task, task.solutions.naive);
  expect(readCheck(naive, 'perceived')).toMatchObject({ ok: false, value: '0\n' });
  expect(naive).toMatchObject({ passed: false, reward: 5 / 6 });
});

test('a log that the agent writes itself is not what queries read', async () => {
  const task = taskOf('B-DIE-901');
  const forged = 'echo "tmux pane_dead" | tee -a ~/cmdlog "$AGENT_CMDLOG"; tmux respawn-pane -t shop:till "sleep 9"';
  expect(await play(task, script(forged))).toMatchObject({ passed: false });
});

test('a setup that does not end is masked as the fault of the task', async () => {
  const task = taskOf('A-SESS-901');
  const plan = [{ type: 'shell', script: 'sleep 60 & while :; do sleep 1; done', timeoutMs: 300 }] as const;
  await expect(play({ ...task, plan }, script('true'))).rejects.toMatchObject({
    code: 'E_SETUP_SHELL',
    boundary: 'task',
  });
});
