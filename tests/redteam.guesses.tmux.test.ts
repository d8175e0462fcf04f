import pLimit from 'p-limit';
import seedrandom from 'seedrandom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Gym, type Solution, type Task } from '../env/index.ts';
import { makeTask, runSolution } from '../generator/index.ts';

/** The whole promise is 1,000 (`MUXGYM_GUESS_EPISODES=1000`). */
const episodes = Number(process.env['MUXGYM_GUESS_EPISODES'] ?? 60);
const kinds = ['death', 'activity', 'silence', 'bell', 'completion', 'interrupt'];

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ poolSize: 2 });
});
afterAll(() => gym?.close());

/** By turns a cliff task of any depth and an event task of any kind. */
const taskOf = (seed: number): Task =>
  seed % 2 === 0
    ? makeTask(`cliff-d${(seed / 2) % 5}-n1-s${seed}`)
    : makeTask(`events-${kinds[((seed - 1) / 2) % kinds.length]}-e0-k1-s${seed}`);

const constants = ['42', '0', 'yes', '00000000', 'deadbeef', 'ffffffff'];

const answerOf = (seed: number): string => {
  const random = seedrandom(`guess-${seed}`);
  const hex = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return seed % 4 < 2 ? constants[seed % constants.length]! : hex();
};

/** Writes, and types into the window that it picks, without a look at anything. */
const guess = (seed: number): Solution => {
  const answer = answerOf(seed);
  const window = 1 + Math.floor(seedrandom(`window-${seed}`)() * 3);
  const script = `echo ${answer} > $REPORT; sleep 20; tmux send-keys -t :${window} ${answer} Enter; sleep 2`;
  return { name: 'guess', actions: [{ type: 'script', script }] };
};

const play = async (task: Task, solution: Solution): Promise<boolean> => {
  await using env = gym.createEnv();
  const grade = await runSolution(env, task, solution);
  expect(grade.boundary).toBeNull();
  return grade.passed;
};

/** Least k for which at most k of n independent tries at p are as good as certain (Hoeffding, 1 in a million). */
const boundOf = (tasks: readonly Task[]): number => {
  const mean = tasks.reduce((sum, { guess: each = 0 }) => sum + each, 0);
  return Math.floor(mean + (mean === 0 ? 0 : Math.sqrt((tasks.length * Math.log(1e6)) / 2)));
};

describe(`${episodes} constant and random answers (48)`, () => {
  test('pass no more often than the tasks state', { timeout: 60_000 + episodes * 2_000 }, async () => {
    const tasks = Array.from({ length: episodes }, (_, seed) => taskOf(seed));
    const limit = pLimit(2);
    const passed = await Promise.all(tasks.map((task, seed) => limit(() => play(task, guess(seed)))));
    expect(passed.filter(Boolean).length).toBeLessThanOrEqual(boundOf(tasks));
    expect(passed.filter((each, seed) => each && tasks[seed]?.suite === 'cliff')).toEqual([]);
  });
});

describe.each([0, 1, 2, 3, 4])('the checks of depth D%d', (depth) => {
  const task = makeTask(`cliff-d${depth}-n2-s5`);
  const [oracle] = task.solutions.oracle;
  const [action] = oracle!.actions;
  const lines = action?.type === 'script' ? action.script.split('\n') : [];

  test('tell the whole solution from one with any step left out, and from nothing (52)', async () => {
    expect(await play(task, oracle!)).toBe(true);
    expect(await play(task, { name: 'nothing', actions: [] })).toBe(false);
    for (const index of lines.keys()) {
      const script = lines.toSpliced(index, 1).join('\n');
      expect({ index, passed: await play(task, { name: 'cut', actions: [{ type: 'script', script }] }) }).toEqual({
        index,
        passed: false,
      });
    }
  });
});
