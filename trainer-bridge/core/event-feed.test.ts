import { describe, expect, test } from 'vitest';
import { BoundaryError } from '../../env/index.ts';
import { BridgeCore } from './bridge-core.ts';
import type { CoreOptions } from './core-options.ts';
import { FakeGym, findFakeTask } from './fake-gym.test-double.ts';
import { ManualClock } from './manual-clock.test-double.ts';
import { toRefusal } from './refusal.ts';
import type { EpisodeSetting } from './service.ts';

const client = 'c';
const push: EpisodeSetting = { delivery: 'push', clock: 'virtual', shaping: true };

async function open(options: Partial<CoreOptions> = {}, gym = new FakeGym()) {
  const versions = { version: '0', generator: '0' };
  const core = new BridgeCore({ gym, findTask: findFakeTask, versions, clock: new ManualClock(), ...options });
  await core.describe({ protocol: 1, client, split: '' });
  return core;
}

async function createOne(core: BridgeCore, setting = push): Promise<string> {
  const task = { id: 'fake-d0-s1', sample: 0 };
  const [start] = await core.create({ client, task, size: 1, request: '', setting });
  return start!.id;
}

const act = (core: BridgeCore, episode: string, sequence: number, command: string) =>
  core.act({ client, episode, sequence, action: { type: 'command', command } });

/** Follows an episode. `end` is null while the stream is open, then `ok` or the code of the refusal. */
function follow(core: BridgeCore, episode: string, who = client) {
  const gone = new AbortController();
  const heard: string[] = [];
  const stream = { heard, end: null as string | null, leave: () => gone.abort(), over: Promise.resolve() };
  const tell = ({ event }: { readonly event: string }) => void heard.push(event);
  stream.over = core.events({ client: who, episode }, { tell, signal: gone.signal }).then(
    () => {
      stream.end = 'ok';
    },
    (error: unknown) => {
      stream.end = toRefusal(error).code;
    },
  );
  return stream;
}

describe('events()', () => {
  test('events() tells of an event while its action runs', async () => {
    let finish: () => void = () => undefined;
    const gym = new FakeGym({ beforeStep: () => new Promise((resolve) => (finish = resolve)) });
    await using core = await open({}, gym);
    const episode = await createOne(core);
    const stream = follow(core, episode);
    const acting = act(core, episode, 1, 'event a');
    expect(stream.heard).toEqual(['a']);
    finish();
    await acting;
    expect([stream.heard, stream.end]).toEqual([['a'], null]);
  });

  test('events() tells of the past first and misses nothing, when the subscriber comes late or second', async () => {
    await using core = await open();
    const episode = await createOne(core);
    const first = follow(core, episode);
    await act(core, episode, 1, 'event a');
    const second = follow(core, episode);
    expect(second.heard).toEqual(['a']);
    await act(core, episode, 2, 'event b');
    await core.grade({ client, episode, truncatedBy: null });
    const late = follow(core, episode);
    await Promise.all([first.over, second.over, late.over]);
    expect([first, second, late]).toMatchObject(Array(3).fill({ heard: ['a', 'b'], end: 'ok' }));
  });

  test('events() ends, when the episode is graded or released', async () => {
    await using core = await open();
    const [graded, done, released] = await Promise.all([createOne(core), createOne(core), createOne(core)]);
    const streams = [graded, done, released].map((episode) => follow(core, episode));
    await act(core, graded, 1, 'true');
    expect(streams.map(({ end }) => end)).toEqual([null, null, null]);
    await core.grade({ client, episode: graded, truncatedBy: null });
    await core.act({ client, episode: done, sequence: 1, action: { type: 'done' } });
    await core.release({ client, episode: released });
    await Promise.all(streams.map(({ over }) => over));
    expect(streams.map(({ end }) => end)).toEqual(['ok', 'ok', 'ok']);
  });

  test('events() stays open until the grade is recorded, when recording fails', async () => {
    let full = true;
    const record = async () => {
      if (full) throw new BoundaryError('bridge', { code: 'E_JOURNAL', what: 'Cannot write' });
    };
    await using core = await open({ record });
    const episode = await createOne(core);
    const stream = follow(core, episode);
    const grade = () => core.grade({ client, episode, truncatedBy: null });
    await expect(grade()).rejects.toMatchObject({ code: 'E_JOURNAL' });
    expect(stream.end).toBeNull();
    full = false;
    await grade();
    await stream.over;
    expect(stream.end).toBe('ok');
  });

  test('events() is refused with the lease, when the client falls silent although it listens', async () => {
    const clock = new ManualClock();
    await using core = await open({ clock });
    const stream = follow(core, await createOne(core));
    clock.advance(5_999);
    expect(core.live).toBe(1);
    clock.advance(1);
    await stream.over;
    expect([stream.end, core.live]).toEqual(['E_LEASE', 0]);
  });

  test('events() is refused with the lease, when the episode stands idle although somebody listens', async () => {
    const clock = new ManualClock();
    await using core = await open({ clock, limits: { idleMs: 10_000 } });
    const stream = follow(core, await createOne(core));
    clock.advance(5_000);
    await core.heartbeat({ client });
    clock.advance(5_000);
    await stream.over;
    expect(stream.end).toBe('E_LEASE');
  });

  test('events() ends, when the server drains or closes', async () => {
    const clock = new ManualClock();
    const core = await open({ clock });
    const stream = follow(core, await createOne(core));
    const drained = core.drain(1_000);
    expect(stream.end).toBeNull();
    clock.advance(1_000);
    await Promise.all([drained, stream.over]);
    expect(stream.end).toBe('E_LEASE');
  });

  test('events() is refused, when the episode does not push, is no one’s, another’s, or gone', async () => {
    await using core = await open();
    await core.describe({ protocol: 1, client: 'thief', split: '' });
    const episode = await createOne(core);
    const gone = await createOne(core);
    await core.release({ client, episode: gone });
    const streams = [
      follow(core, await createOne(core, { ...push, delivery: 'poll' })),
      follow(core, await createOne(core, { ...push, delivery: 'notice' })),
      follow(core, 'none'),
      follow(core, episode, 'thief'),
      follow(core, episode, 'stranger'),
      follow(core, gone),
    ];
    await Promise.all(streams.map(({ over }) => over));
    const ends = streams.map(({ end }) => end);
    expect(ends).toEqual(['E_DELIVERY', 'E_DELIVERY', 'E_EPISODE', 'E_EPISODE', 'E_LEASE', 'E_EPISODE']);
  });

  test('events() leaves the episode and the others alone, when a subscriber goes away or throws', async () => {
    await using core = await open();
    const episode = await createOne(core);
    const vanishing = follow(core, episode);
    const broken = core.events(
      { client, episode },
      {
        tell: () => {
          throw new Error('broken');
        },
        signal: new AbortController().signal,
      },
    );
    const caught = expect(broken).rejects.toThrow('broken');
    const steady = follow(core, episode);
    vanishing.leave();
    await vanishing.over;
    expect((await act(core, episode, 1, 'event a')).info.pushed).toMatchObject([{ event: 'a' }]);
    await caught;
    await act(core, episode, 2, 'event b');
    expect([vanishing, steady]).toMatchObject([
      { heard: [], end: 'ok' },
      { heard: ['a', 'b'], end: null },
    ]);
  });

  test('events() says busy, when an episode is followed 16 times, until one goes away', async () => {
    await using core = await open();
    const episode = await createOne(core);
    const streams = Array.from({ length: 16 }, () => follow(core, episode));
    const tooMany = follow(core, episode);
    await tooMany.over;
    expect(tooMany.end).toBe('E_BUSY');
    streams[0]!.leave();
    await streams[0]!.over;
    await act(core, episode, 1, 'event a');
    expect(follow(core, episode)).toMatchObject({ heard: ['a'], end: null });
  });
});
