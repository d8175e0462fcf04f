import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Action, createGym, type Gym } from '../../env/index.ts';
import { makeTask } from '../../generator/index.ts';
import { type BridgeService, type CoreOptions, loadCeiling, type Refusal, toRefusal } from '../core/index.ts';
import { ManualClock } from '../core/manual-clock.test-double.ts';
import type { Serve, Served } from './served.ts';

const easy = 'cliff-d0-n1-s1';
const client = 'conformance';
const command = (text: string) => ({ type: 'command', command: text }) as const;
/** Appends a line and counts them: shows how often an action really ran. */
const count = command('echo . >> counter; wc -l < counter');

/** What every way to reach the core must do, on real episodes. */
export function checkService(serve: Serve): void {
  let gym: Gym;
  beforeAll(async () => {
    gym = await createGym();
  });
  afterAll(() => gym.close());

  const open = async (options: Partial<CoreOptions> = {}): Promise<Served> => {
    const versions = { version: '0.1.0', generator: 'test' };
    const served = await serve({ gym, findTask: makeTask, versions, ...options });
    await served.service.describe({ protocol: 1, client, split: '' });
    return served;
  };
  const create = async (service: BridgeService, id = easy, size = 1) => {
    const episodes = await service.create({ client, task: { id, sample: 0 }, size, request: '' });
    return episodes[0]!.id;
  };
  const refusal = (call: Promise<unknown>) =>
    call.then(
      (): Refusal => ({ code: 'none', message: '', retryAfterMs: 0, boundary: null, hint: '' }),
      (error: unknown) => toRefusal(error),
    );

  test('describe() says what is served', async () => {
    await using served = await open({ ceiling: loadCeiling('cliff:train') });
    const description = await served.service.describe({ protocol: 1, client: 'other', split: 'train-d0d1' });
    expect(description).toMatchObject({ protocol: 1, version: '0.1.0', rung: gym.rung, leaseMs: 6_000 });
    expect(description.tmuxVersion).toBe(gym.tmuxVersion);
    expect(description.split).toMatch(/^train-d0d1@[0-9a-f]{16}$/);
  });

  test('act() tells of an event under push and grade() of what became of it, when one happens', async () => {
    await using served = await open();
    const { service } = served;
    const setting = { delivery: 'push', clock: 'virtual', shaping: false } as const;
    const task = { id: 'events-death-e0-k1-s0', sample: 0 };
    const [start] = await service.create({ client, task, size: 1, request: '', setting });
    const episode = start!.id;
    const { info } = await service.act({ client, episode, sequence: 1, action: command('sleep 9') });
    expect(info.pushed).toMatchObject([{ event: 'death-1', kind: 'death', tick: 3 }]);
    const later = await service.act({ client, episode, sequence: 2, action: command('tmux list-panes -a') });
    expect(later.info.pushed).toEqual([]);
    const grade = await service.grade({ client, episode, truncatedBy: null });
    expect(grade.events).toMatchObject([
      { id: 'death-1', kind: 'death', fired_tick: 3, perceived_by: 'list-panes', armed: false, reacted_tick: null },
    ]);
    expect(grade.checks.filter(({ role }) => role === 'perceive').map(({ weight }) => weight)).toEqual([0]);
  });

  test('describe() refuses by name, when the client speaks another protocol version', async () => {
    await using served = await open();
    const error = await refusal(served.service.describe({ protocol: 2, client: 'new', split: '' }));
    expect(error.code).toBe('E_PROTOCOL');
    expect(error.message).toContain('expected 1, found 2');
  });

  test('create() to grade() rewards 1, when an oracle script is played', async () => {
    await using served = await open();
    const { service } = served;
    const [start] = await service.create({ client, task: { id: easy, sample: 0 }, size: 1, request: '' });
    const task = makeTask(easy);
    expect(start).toMatchObject({ task: easy, prompt: task.prompt, maxSteps: task.limits.steps });
    for (const [index, action] of task.solutions.oracle[0]!.actions.entries()) {
      const step = await service.act({ client, episode: start!.id, sequence: index + 1, action });
      expect(step).toMatchObject({ reward: 0, terminated: false, truncated: false, info: { steps: index + 1 } });
    }
    const grade = await service.grade({ client, episode: start!.id, truncatedBy: null });
    expect(grade).toMatchObject({ outcome: 'scored', reward: 1, passed: true, boundary: null });
    expect(grade.checks.length).toBe(task.checks.length);
    expect(await service.grade({ client, episode: start!.id, truncatedBy: null })).toEqual(grade);
  });

  test('act() returns the grade with the step, when the agent says done', async () => {
    await using served = await open();
    const episode = await create(served.service);
    const step = await served.service.act({ client, episode, sequence: 1, action: { type: 'done' } });
    expect(step).toMatchObject({ terminated: true, reward: 0, info: { grade: { outcome: 'scored', passed: false } } });
    const late = await refusal(served.service.act({ client, episode, sequence: 2, action: count }));
    expect(late.code).toBe('E_ENDED');
  });

  test('create() gives a group one start state, and other secrets to another sample', async () => {
    await using served = await open();
    const { service } = served;
    const group = await service.create({ client, task: { id: easy, sample: 5 }, size: 3, request: '' });
    const other = await service.create({ client, task: { id: easy, sample: 6 }, size: 1, request: '' });
    const look = command('find . -type f | sort | xargs cat');
    const seen = await Promise.all(
      [...group, ...other].map(async ({ id }) => {
        const step = await service.act({ client, episode: id, sequence: 1, action: look });
        return step.observation.text;
      }),
    );
    expect(new Set(group.map(({ id }) => id)).size).toBe(3);
    expect(seen[0]).toMatch(/[0-9a-f]{8}/);
    expect(new Set(seen.slice(0, 3)).size).toBe(1);
    expect(seen[3]).not.toBe(seen[0]);
  });

  test('create() returns the same episodes, when the request is repeated', async () => {
    await using served = await open();
    const request = { client, task: { id: easy, sample: 0 }, size: 2, request: 'once' };
    const [first, second] = await Promise.all([served.service.create(request), served.service.create(request)]);
    expect(second).toEqual(first);
    expect(await served.service.create(request)).toEqual(first);
    expect((await served.service.health()).liveEpisodes).toBe(2);
    expect((await refusal(served.service.create({ ...request, size: 1 }))).code).toBe('E_REQUEST');
  });

  test('create() refuses a D3 task by name, when the server is held to split train', async () => {
    await using served = await open({ ceiling: loadCeiling('cliff:train') });
    const { service } = served;
    const task = { id: 'cliff-d3-n1-s1', sample: 0 };
    const errors = await Promise.all([
      refusal(service.create({ client, task, size: 1, request: '' })),
      refusal(service.prefetch({ client, tasks: [task] })),
      refusal(service.scoreScripts({ client, jobs: [{ task, script: 'true' }], request: '' })),
    ]);
    for (const error of errors) {
      expect(error.code).toBe('E_SPLIT');
      expect(error.message).toMatch(/cliff-d3-n1-s1.*train/);
    }
    expect(await create(service, 'cliff-d2-n1-s1')).not.toBe('');
  });

  test('create() holds a client to the narrower split that it asked for, and never lets it widen', async () => {
    await using served = await open({ ceiling: loadCeiling('cliff:train') });
    const { service } = served;
    await service.describe({ protocol: 1, client, split: 'train-d0d1' });
    expect((await refusal(create(service, 'cliff-d2-n1-s1'))).code).toBe('E_SPLIT');
    expect((await refusal(service.describe({ protocol: 1, client, split: 'holdout-d3d4' }))).code).toBe('E_SPLIT');
    expect((await refusal(service.describe({ protocol: 1, client, split: 'nowhere' }))).code).toBe('E_SPLIT');
    expect((await refusal(create(service, 'cliff-d2-n1-s1'))).code).toBe('E_SPLIT');
  });

  test('create() refuses an unknown task, and a group that can never fit', async () => {
    await using served = await open({ limits: { maxEpisodes: 2 } });
    expect((await refusal(create(served.service, 'cliff-d7-n1-s1'))).code).toBe('E_TASK');
    expect((await refusal(create(served.service, 'nonsense'))).code).toBe('E_TASK');
    expect((await refusal(create(served.service, easy, 3))).code).toBe('E_SIZE');
  });

  test('create() says busy with a time to wait, when all episodes are in use', async () => {
    await using served = await open({ limits: { maxEpisodes: 1 } });
    const { service } = served;
    const episode = await create(service);
    const error = await refusal(create(service));
    expect(error.code).toBe('E_BUSY');
    expect(error.retryAfterMs).toBeGreaterThan(0);
    await service.release({ client, episode });
    expect(await create(service)).not.toBe(episode);
  });

  test('act() acts once, when a sequence number is repeated, also at the same time', async () => {
    await using served = await open();
    const { service } = served;
    const episode = await create(service);
    const first = { client, episode, sequence: 1, action: count };
    const [step, twin] = await Promise.all([service.act(first), service.act(first)]);
    expect(step.observation.text.trim()).toBe('1');
    expect(twin).toEqual(step);
    expect(await service.act(first)).toEqual(step);
    const next = await service.act({ client, episode, sequence: 2, action: count });
    expect(next.observation.text.trim()).toBe('2');
  });

  test('act() refuses a gap, an older number and a repeat with another action', async () => {
    await using served = await open();
    const { service } = served;
    const episode = await create(service);
    const act = (sequence: number, action: typeof count | { readonly type: 'done' } = count) =>
      refusal(service.act({ client, episode, sequence, action }));
    expect((await act(2)).code).toBe('E_SEQUENCE');
    expect((await act(1)).code).toBe('none');
    expect((await act(3)).message).toContain('expected sequence 2, or 1 again, found sequence 3');
    expect((await act(1, { type: 'done' })).code).toBe('E_SEQUENCE');
    expect((await act(2)).code).toBe('none');
    expect((await act(1)).code).toBe('E_SEQUENCE');
    const last = await service.act({ client, episode, sequence: 3, action: count });
    expect(last.observation.text.trim()).toBe('3');
  });

  test('act() refuses what is no action, and the number stays free', async () => {
    await using served = await open();
    const { service } = served;
    const episode = await create(service);
    const empty: Action = { type: 'keys', target: '', keys: [] };
    const bad = await refusal(service.act({ client, episode, sequence: 1, action: empty }));
    expect(bad.code).toBe('E_ACTION');
    expect(bad.message).toContain('action.target');
    expect((await refusal(service.act({ client, episode, sequence: 1, action: count }))).code).toBe('none');
  });

  test('act() finds no episode, when there is none or it is another client’s', async () => {
    await using served = await open();
    const { service } = served;
    await service.describe({ protocol: 1, client: 'thief', split: '' });
    const episode = await create(service);
    const act = (who: string, id: string) => service.act({ client: who, episode: id, sequence: 1, action: count });
    expect((await refusal(act(client, 'no such'))).code).toBe('E_EPISODE');
    expect((await refusal(act('thief', episode))).code).toBe('E_EPISODE');
    expect((await refusal(act('stranger', episode))).code).toBe('E_LEASE');
  });

  test('release() ends the episode, and may be repeated', async () => {
    await using served = await open();
    const { service } = served;
    const episode = await create(service);
    await service.release({ client, episode });
    await service.release({ client, episode });
    expect((await refusal(service.grade({ client, episode, truncatedBy: null }))).code).toBe('E_EPISODE');
    expect((await service.health()).liveEpisodes).toBe(0);
    expect(gym.live).toBe(0);
  });

  test('heartbeat() keeps the lease, and silence for 6 s ends the episodes of a client', async () => {
    const clock = new ManualClock();
    await using served = await open({ clock });
    const { service } = served;
    await service.describe({ protocol: 1, client: 'other', split: '' });
    const episode = await create(service);
    clock.advance(5_900);
    await service.heartbeat({ client });
    clock.advance(5_900);
    expect((await service.health()).liveEpisodes).toBe(1);
    clock.advance(100);
    const act = service.act({ client, episode, sequence: 1, action: count });
    expect((await refusal(act)).code).toBe('E_LEASE');
    expect((await refusal(create(service))).code).toBe('E_LEASE');
    await service.describe({ protocol: 1, client, split: '' });
    const again = service.act({ client, episode, sequence: 1, action: count });
    expect((await refusal(again)).code).toBe('E_LEASE');
    expect(await create(service)).not.toBe(episode);
  });

  test('act() finds the lease ended, when an episode stood idle for 15 minutes', async () => {
    const clock = new ManualClock();
    await using served = await open({ clock });
    const { service } = served;
    const episode = await create(service);
    for (let second = 0; second < 900; second += 5) {
      await service.heartbeat({ client });
      clock.advance(5_000);
    }
    await service.heartbeat({ client });
    const error = await refusal(service.act({ client, episode, sequence: 1, action: count }));
    expect(error.code).toBe('E_LEASE');
  });

  test('scoreScripts() grades each job in its order, once per request', async () => {
    await using served = await open();
    const { service } = served;
    const ids = ['cliff-d0-n1-s1', 'cliff-d0-n2-s2', 'cliff-d1-n1-s3'];
    const jobs = ids.map((id) => ({ task: { id, sample: 1 }, script: oracleScript(id) }));
    const request = { client, jobs: [...jobs, { task: { id: easy, sample: 1 }, script: 'true' }], request: 'batch' };
    const [grades, twin] = await Promise.all([service.scoreScripts(request), service.scoreScripts(request)]);
    expect(grades.map(({ reward }) => reward)).toEqual([1, 1, 1, 0]);
    expect(twin).toEqual(grades);
    expect((await service.health()).liveEpisodes).toBe(0);
  });

  test('cancel() ends what a request is doing', async () => {
    await using served = await open({ limits: { scriptConcurrency: 1 } });
    const { service } = served;
    const jobs = Array.from({ length: 50 }, () => ({ task: { id: easy, sample: 0 }, script: 'true' }));
    const batch = refusal(service.scoreScripts({ client, jobs, request: 'long' }));
    while ((await service.health()).liveEpisodes === 0);
    expect(await service.cancel({ client, request: 'long' })).toBe(true);
    expect((await batch).code).toBe('E_CANCELLED');
    expect(await service.cancel({ client, request: 'long' })).toBe(false);
    expect((await service.health()).liveEpisodes).toBe(0);
  });

  test('health() says SERVING, and DRAINING while the last episodes finish', async () => {
    const clock = new ManualClock();
    await using served = await open({ clock });
    const { service, core } = served;
    expect((await service.health()).status).toBe('SERVING');
    const episode = await create(service);
    const drained = core.drain(10_000);
    expect(await service.health()).toEqual({ status: 'DRAINING', liveEpisodes: 1 });
    expect((await refusal(create(service))).code).toBe('E_DRAINING');
    const grade = await service.grade({ client, episode, truncatedBy: null });
    expect(grade.outcome).toBe('scored');
    await drained;
    expect(gym.live).toBe(0);
  });

  test('carry() gets an error with its place, when the bytes are no message', async ({ skip }) => {
    await using served = await open();
    const { carry } = served;
    if (carry === null) return skip('nothing is encoded in process');
    const cases: readonly (readonly [string, Buffer, string])[] = [
      ['Act', Buffer.from('ff'.repeat(40), 'hex'), 'ActRequest'],
      ['Create', Buffer.from('0a05616263', 'hex'), 'CreateRequest.client'],
      ['Create', Buffer.from('9a0101ff', 'hex'), 'field number 19'],
      ['Create', Buffer.from('0a02fffe', 'hex'), 'UTF-8'],
      ['Create', Buffer.from('1a0161', 'hex'), 'wire type 2'],
    ];
    for (const [method, bytes, place] of cases) {
      const error = await refusal(carry(method, bytes));
      expect(error.code).toBe('E_PROTOBUF');
      expect(error.message).toContain(place);
    }
    expect((await served.service.health()).status).toBe('SERVING');
  });
}

function oracleScript(id: string): string {
  const [action] = makeTask(id).solutions.oracle[0]!.actions;
  if (action?.type === 'script') return action.script;
  return action?.type === 'command' ? action.command : '';
}
