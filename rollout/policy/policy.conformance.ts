import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Action, createGym, type Env, type Gym, type Task } from '../../env/index.ts';
import { makeCliffTask } from '../../generator/index.ts';
import type { Seat } from '../loop/index.ts';
import type { OpenOptions, Player, Policy } from './index.ts';

export interface PolicyCase {
  readonly name: string;
  readonly make: () => Promise<Policy> | Policy;
  /** Whether it passes, fails, or may do either. */
  readonly expected: 'passes' | 'fails' | 'either';
}

/** What every policy promises, on real worlds: two tasks of different depths. */
export function describePolicy({ name, make, expected }: PolicyCase): void {
  describe(`policy ${name}`, () => {
    const tasks = [makeTask(0), makeTask(4)];
    let gym: Gym;
    let player: Player;
    beforeAll(async () => {
      const policy = await make();
      player = await policy.open(openOptions(tasks));
      gym = await createGym(player.runKey === undefined ? {} : { runKey: player.runKey });
    });
    afterAll(async () => {
      await player[Symbol.asyncDispose]();
      await gym.close();
    });

    test.each(tasks)('play() leaves an episode that can be judged, when the task is $id', async (task) => {
      const { actions, grade } = await playOnce(gym, player, task, 0);
      expect(grade.outcome).toBe('scored');
      expect(actions.length).toBeLessThanOrEqual(task.limits.steps);
      if (expected !== 'either') expect(grade.passed).toBe(expected === 'passes');
    });

    test('play() takes the same actions, when the task and the sample are the same', async () => {
      const [task] = tasks;
      const first = await playOnce(gym, player, task!, 0);
      const second = await playOnce(gym, player, task!, 0);
      expect(second.actions).toEqual(first.actions);
    });

    test('play() takes no action, when its time is already over', async () => {
      await using env = gym.createEnv();
      const seat = await sit(env, tasks[0]!, 0, AbortSignal.abort(new Error('over')));
      const ended = await player.play(seat).catch((error: unknown) => error);
      if (ended instanceof Error) expect(ended.message).toBe('over');
      else expect(ended).toMatchObject({ truncatedBy: 'time' });
      expect(listActions(env)).toEqual([]);
    });
  });
}

function makeTask(depth: number): Task {
  return makeCliffTask({ profile: 'fair', depth, ops: 2, seed: 1 });
}

export function openOptions(tasks: readonly Task[]): OpenOptions {
  return {
    assignments: tasks.map((task) => ({ task, sample: 0 })),
    logFile: '/dev/null',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
}

async function playOnce(gym: Gym, player: Player, task: Task, sample: number) {
  await using env = gym.createEnv();
  const seat = await sit(env, task, sample, new AbortController().signal);
  const { truncatedBy } = await player.play(seat);
  const grade = await env.grade(truncatedBy ?? undefined);
  return { grade, actions: listActions(env) };
}

async function sit(env: Env, task: Task, sample: number, signal: AbortSignal): Promise<Seat> {
  const { info } = await env.reset({ task, sample });
  return { env, task, prompt: info.prompt, sample, signal };
}

function listActions(env: Env): readonly Action[] {
  return env.trace().flatMap((line) => (line.type === 'action' ? [line.action] : []));
}

export interface ChatServer extends AsyncDisposable {
  readonly baseUrl: string;
}

/** A model server of one model, `m`: answers with a text, or with a status where a number comes. */
export async function serveChat(answer: (prompt: string, call: number) => string | number): Promise<ChatServer> {
  let calls = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const reply = (status: number, value: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
        .end(JSON.stringify(value));
    if (request.url === '/v1/models') return reply(200, { data: [{ id: 'm' }] });
    if (request.method === 'GET') return reply(404, {});
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    const said = messages.length === 1 ? 'ready' : answer(messages.at(-1)?.content ?? '', calls++);
    if (typeof said === 'number') return reply(said, { error: { message: "the model's maximum context length is 9" } });
    return reply(200, { choices: [{ message: { content: said }, finish_reason: 'stop' }] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
