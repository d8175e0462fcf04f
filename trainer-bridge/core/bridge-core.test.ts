import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../../env/index.ts';
import { BridgeCore } from './bridge-core.ts';
import type { CoreOptions } from './core-options.ts';
import { FakeGym, findFakeTask } from './fake-gym.test-double.ts';
import type { FinishedEpisode } from './finished-episode.ts';
import { ManualClock } from './manual-clock.test-double.ts';
import { toRefusal } from './refusal.ts';

const client = 'c';
const task = { id: 'fake-d0-s1', sample: 0 };
const broken = new BoundaryError('sandbox', { code: 'E_WORLD', what: 'Cannot make a world' });

async function open(gym: FakeGym, options: Partial<CoreOptions> = {}): Promise<BridgeCore> {
  const versions = { version: '0', generator: '0' };
  const core = new BridgeCore({ gym, findTask: findFakeTask, versions, clock: new ManualClock(), ...options });
  await core.describe({ protocol: 1, client, split: '' });
  return core;
}

async function createOne(core: BridgeCore): Promise<string> {
  const [start] = await core.create({ client, task, size: 1, request: '' });
  return start!.id;
}

const refusal = (call: Promise<unknown>) => call.then(() => null, toRefusal);
const score = (core: BridgeCore, scripts: readonly string[], request = '') =>
  core.scoreScripts({ client, jobs: scripts.map((script) => ({ task, script })), request });

/** A promise that a test opens by hand. */
function makeLatch() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('create()', () => {
  test('create() names the boundary and keeps nothing, when one world of a group cannot be made', async () => {
    let made = 0;
    const gym = new FakeGym({
      beforeReset: async () => {
        made += 1;
        if (made === 3) throw broken;
      },
    });
    await using core = await open(gym);
    const error = await refusal(core.create({ client, task, size: 4, request: 'g' }));
    expect(error).toMatchObject({ code: 'E_WORLD', boundary: 'sandbox' });
    expect([gym.live, core.live]).toEqual([0, 0]);
    expect(await core.create({ client, task, size: 4, request: 'g' })).toHaveLength(4);
  });

  test('create() says busy, when the machine is out of descriptors', async () => {
    const cause = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    const gym = new FakeGym({
      beforeReset: async () => {
        throw new BoundaryError('sandbox', { code: 'E_WORLD', what: 'Cannot make a world', cause });
      },
    });
    await using core = await open(gym);
    expect(await refusal(createOne(core))).toMatchObject({ code: 'E_BUSY', retryAfterMs: 1_000, boundary: null });
  });

  test('create() closes what it made, when the client fell silent meanwhile', async () => {
    const clock = new ManualClock();
    const latch = makeLatch();
    const gym = new FakeGym({ beforeReset: () => latch.opened });
    await using core = await open(gym, { clock });
    const creating = refusal(createOne(core));
    clock.advance(6_000);
    latch.open();
    expect((await creating)?.code).toBe('E_CANCELLED');
    expect([gym.live, core.live]).toEqual([0, 0]);
  });

  test('create() makes no more worlds at once than configured', async () => {
    const gym = new FakeGym();
    let now = 0;
    let peak = 0;
    gym.behaviour.beforeReset = async () => {
      now += 1;
      peak = Math.max(peak, now);
      await new Promise(setImmediate);
      now -= 1;
    };
    await using core = await open(gym, { limits: { resetConcurrency: 3 } });
    await core.create({ client, task, size: 20, request: '' });
    expect(peak).toBe(3);
  });
});

describe('act()', () => {
  test('act() repeats an error and never acts again, when the machinery broke', async () => {
    const gym = new FakeGym();
    let tries = 0;
    gym.behaviour.beforeStep = async () => {
      tries += 1;
      throw broken;
    };
    await using core = await open(gym);
    const act = { client, episode: await createOne(core), sequence: 1, action: { type: 'wait', ticks: 1 } } as const;
    expect(await refusal(core.act(act))).toMatchObject({ code: 'E_WORLD', boundary: 'sandbox' });
    expect((await refusal(core.act(act)))?.code).toBe('E_WORLD');
    expect(tries).toBe(1);
  });

  test('act() says busy, when the next number comes while an action runs', async () => {
    const latch = makeLatch();
    const gym = new FakeGym({ beforeStep: () => latch.opened });
    await using core = await open(gym);
    const episode = await createOne(core);
    const wait = { type: 'wait', ticks: 1 } as const;
    const first = core.act({ client, episode, sequence: 1, action: wait });
    expect((await refusal(core.act({ client, episode, sequence: 2, action: wait })))?.code).toBe('E_BUSY');
    latch.open();
    await first;
    expect((await core.act({ client, episode, sequence: 2, action: wait })).info.steps).toBe(2);
  });

  test('act() is refused with the lease, when the client fell silent during the action', async () => {
    const clock = new ManualClock();
    const latch = makeLatch();
    const gym = new FakeGym({ beforeStep: () => latch.opened });
    await using core = await open(gym, { clock });
    const episode = await createOne(core);
    const acting = refusal(core.act({ client, episode, sequence: 1, action: { type: 'wait', ticks: 1 } }));
    clock.advance(6_000);
    expect(gym.live).toBe(0);
    latch.open();
    expect((await acting)?.code).toBe('E_LEASE');
  });
});

describe('leases', () => {
  test('expire() gives a second more, when the process itself stood still', async () => {
    const clock = new ManualClock();
    const gym = new FakeGym();
    await using core = await open(gym, { clock });
    await createOne(core);
    clock.stall(30_000);
    expect(gym.live).toBe(1);
    await core.heartbeat({ client });
    clock.advance(5_999);
    expect(gym.live).toBe(1);
    clock.advance(1);
    expect(gym.live).toBe(0);
  });

  test('expire() leaves a working episode alone, when its action takes longer than the idle time', async () => {
    const clock = new ManualClock();
    const latch = makeLatch();
    const gym = new FakeGym({ beforeStep: () => latch.opened });
    await using core = await open(gym, { clock, limits: { idleMs: 10_000 } });
    const episode = await createOne(core);
    const acting = core.act({ client, episode, sequence: 1, action: { type: 'wait', ticks: 1 } });
    for (let round = 0; round < 10; round += 1) {
      clock.advance(5_000);
      await core.heartbeat({ client });
    }
    latch.open();
    expect((await acting).info.steps).toBe(1);
  });
});

describe('grade()', () => {
  test('grade() masks and gives no reward, when grading breaks', async () => {
    const gym = new FakeGym();
    gym.behaviour.beforeGrade = () =>
      Promise.reject(new BoundaryError('grader', { code: 'E_G', what: 'Cannot grade' }));
    const finished: FinishedEpisode[] = [];
    await using core = await open(gym, { record: async (episode) => void finished.push(episode) });
    const grade = await core.grade({ client, episode: await createOne(core), truncatedBy: null });
    expect(grade).toMatchObject({ outcome: 'masked', reward: null, passed: false, boundary: 'grader' });
    expect(finished).toMatchObject([{ grade: { outcome: 'masked' }, summary: null }]);
  });

  test('grade() is told only once it is recorded, and a repeat tries again, when recording failed', async () => {
    const gym = new FakeGym();
    let full = true;
    const recorded: string[] = [];
    const record = async ({ id }: FinishedEpisode) => {
      if (full) throw new BoundaryError('bridge', { code: 'E_JOURNAL', what: 'Cannot write' });
      recorded.push(id);
    };
    await using core = await open(gym, { record });
    const episode = await createOne(core);
    const done = { client, episode, sequence: 1, action: { type: 'done' } } as const;
    expect(await refusal(core.act(done))).toMatchObject({ code: 'E_JOURNAL', boundary: 'bridge' });
    expect((await refusal(core.grade({ client, episode, truncatedBy: null })))?.code).toBe('E_JOURNAL');
    full = false;
    expect((await core.act(done)).terminated).toBe(true);
    expect((await core.grade({ client, episode, truncatedBy: null })).outcome).toBe('scored');
    expect(recorded).toEqual([episode]);
  });

  test('grade() frees the slot and stays for repeats, when the episode is not released', async () => {
    const gym = new FakeGym();
    await using core = await open(gym, { limits: { maxEpisodes: 1 } });
    const ids: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      ids.push(await createOne(core));
      await core.grade({ client, episode: ids.at(-1)!, truncatedBy: null });
    }
    expect(gym.live).toBe(0);
    expect((await core.grade({ client, episode: ids.at(-1)!, truncatedBy: null })).outcome).toBe('scored');
    const oldest = await refusal(core.grade({ client, episode: ids[0]!, truncatedBy: null }));
    expect(oldest?.message).toContain('never released');
  });
});

describe('scoreScripts()', () => {
  test('scoreScripts() masks a job after a second try, when its world cannot be made', async () => {
    let tries = 0;
    const gym = new FakeGym({
      beforeReset: async () => {
        tries += 1;
        throw broken;
      },
    });
    const finished: FinishedEpisode[] = [];
    await using core = await open(gym, { record: async (episode) => void finished.push(episode) });
    const [grade] = await score(core, ['right']);
    expect(grade).toMatchObject({ outcome: 'masked', reward: null, boundary: 'sandbox' });
    expect(grade?.failure).toContain('Cannot make a world');
    expect(finished.map(({ attempt }) => attempt)).toEqual([0, 1]);
    expect(tries).toBe(2);
  });

  test('scoreScripts() runs no more jobs at once than configured, and asks for worlds ahead once each', async () => {
    const gym = new FakeGym();
    gym.behaviour.beforeStep = () => new Promise((resolve) => setImmediate(resolve));
    await using core = await open(gym, { limits: { scriptConcurrency: 3 } });
    const grades = await score(core, [...Array(40).fill('right'), 'wrong']);
    expect(grades.map(({ reward }) => reward)).toEqual([...Array(40).fill(1), 0]);
    expect(gym.peak).toBe(3);
    expect(gym.prefetched).toHaveLength(40);
    expect(gym.live).toBe(0);
  });

  test('scoreScripts() shares the lanes, when a small batch comes after a large one', async () => {
    const gym = new FakeGym();
    gym.behaviour.beforeStep = () => new Promise((resolve) => setImmediate(resolve));
    await using core = await open(gym, { limits: { scriptConcurrency: 2 } });
    let largeDone = false;
    const large = score(core, Array(200).fill('right'), 'large').then(() => {
      largeDone = true;
    });
    await score(core, ['right', 'right'], 'small');
    expect(largeDone).toBe(false);
    await large;
  });

  test('scoreScripts() says busy with a time to wait, when too many jobs wait', async () => {
    const latch = makeLatch();
    const gym = new FakeGym({ beforeStep: () => latch.opened });
    await using core = await open(gym, { limits: { maxJobs: 3 } });
    const first = score(core, ['right', 'right'], 'a');
    expect((await refusal(score(core, ['right', 'right'], 'b')))?.retryAfterMs).toBeGreaterThan(0);
    expect((await refusal(score(core, ['1', '2', '3', '4'], 'c')))?.code).toBe('E_SIZE');
    latch.open();
    await first;
    expect(await score(core, ['right'], 'b')).toHaveLength(1);
  });

  test('scoreScripts() names the job, when one of its tasks is unknown, and runs none', async () => {
    const gym = new FakeGym();
    await using core = await open(gym);
    const jobs = [
      { task, script: 'right' },
      { task: { id: 'nonsense', sample: 0 }, script: 'right' },
    ];
    const error = await refusal(core.scoreScripts({ client, jobs, request: '' }));
    expect(error?.code).toBe('E_TASK');
    expect(error?.message).toContain('jobs[1].task');
    expect(gym.actions).toEqual([]);
  });
});

describe('drain()', () => {
  test('drain() ends what still lives at the deadline', async () => {
    const clock = new ManualClock();
    const gym = new FakeGym();
    const core = await open(gym, { clock });
    await createOne(core);
    const drained = core.drain(5_000);
    await core.heartbeat({ client });
    clock.advance(4_999);
    expect(gym.live).toBe(1);
    clock.advance(1);
    await drained;
    expect(gym.live).toBe(0);
  });
});
