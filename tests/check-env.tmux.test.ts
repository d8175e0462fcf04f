import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Action, checkEnv, createGym, type Env, type Gym, type ResetOptions, type Step } from '../env/index.ts';
import { makeTask } from '../generator/index.ts';

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ rung: 'bubblewrap', poolSize: 1 });
});
afterAll(() => gym?.close());

test.each([0, 1, 2, 3, 4])('checkEnv() finds nothing, when the depth is D%i', async (depth) => {
  expect(await checkEnv(gym.createEnv(), makeTask(`cliff-d${depth}-n2-s3`))).toEqual([]);
  expect(gym.live).toBe(0);
});

/** A real env whose answers one fault spoils. */
class SpoiltEnv implements Env {
  readonly #env: Env;
  readonly #spoil: (step: Step) => Step;

  constructor(env: Env, spoil: (step: Step) => Step) {
    this.#env = env;
    this.#spoil = spoil;
  }

  reset(options: ResetOptions) {
    return this.#env.reset(options);
  }

  async step(action: Action) {
    return this.#spoil(await this.#env.step(action));
  }

  grade() {
    return this.#env.grade();
  }

  summary() {
    return this.#env.summary();
  }

  trace() {
    return this.#env.trace();
  }

  close() {
    return this.#env.close();
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }
}

const faults: readonly (readonly [string, (step: Step) => Step, RegExp])[] = [
  ['pays for doing nothing', (step) => ({ ...step, reward: 1 }), /doing nothing must score below 1, not 1/],
  ['gives no finite reward', (step) => ({ ...step, reward: Number.NaN }), /a reward must be finite or null, not NaN/],
  [
    'truncates where the agent said done',
    (step) => ({ ...step, terminated: false, truncated: step.terminated ? 'steps' : false }),
    /done must terminate the episode/,
  ],
  ['keeps the grade back', (step) => ({ ...step, terminated: true }), /exactly where the episode ended/],
  [
    'gives a malformed observation',
    (step) => ({ ...step, observation: { ...step.observation, cutBytes: -1 } }),
    /step\(\) must give a well-formed observation/,
  ],
];

test.each(faults)('checkEnv() finds it, when an env %s', async (_, spoil, finding) => {
  const findings = await checkEnv(new SpoiltEnv(gym.createEnv(), spoil), makeTask('cliff-d0-n2-s3'));
  expect(findings.join('\n')).toMatch(finding);
  expect(findings.every((each) => each.startsWith('cliff-d0-n2-s3: '))).toBe(true);
});

test('checkEnv() finds it, when the oracle of a task does not solve it', async () => {
  const task = makeTask('cliff-d0-n2-s3');
  const broken = { ...task, solutions: { ...task.solutions, oracle: [task.solutions.wrong] } };
  expect(await checkEnv(gym.createEnv(), broken)).toEqual([`${task.id}: the oracle must score 1, not 0`]);
});
