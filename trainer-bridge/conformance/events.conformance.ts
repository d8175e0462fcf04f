import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGym, type Gym } from '../../env/index.ts';
import { makeTask } from '../../generator/index.ts';
import { type EventService, toRefusal } from '../core/index.ts';
import { encodeEventsRequest } from '../protobuf/index.ts';
import type { Serve, Served } from './served.ts';

const client = 'conformance';
const pushed = { delivery: 'push', clock: 'virtual', shaping: true } as const;
const noStreams = 'ZeroMQ has no streams; events come with each step';

/** What every way to follow events must do, on a real episode in which a worker dies at tick 3. */
export function checkEvents(serve: Serve): void {
  let gym: Gym;
  beforeAll(async () => {
    gym = await createGym();
  });
  afterAll(() => gym.close());

  const open = async (): Promise<Served> => {
    const served = await serve({ gym, findTask: makeTask, versions: { version: '0.1.0', generator: 'test' } });
    await served.service.describe({ protocol: 1, client, split: '' });
    return served;
  };
  const create = async ({ service }: Served, setting: Parameters<typeof service.create>[0]['setting'] = pushed) => {
    const task = { id: 'events-death-e0-k1-s0', sample: 0 };
    const [start] = await service.create({ client, task, size: 1, request: '', setting });
    return start!.id;
  };

  test('events() streams an event during its action, and the past to who comes late, until the grade', async ({
    skip,
  }) => {
    await using served = await open();
    const { service, events } = served;
    if (events === null) return skip(noStreams);
    const episode = await create(served);
    const order: string[] = [];
    const follow = (name: string) => {
      const tell: Tell = ({ event, kind, tick }) => order.push(`${name}: ${event} (${kind}) at ${tick}`);
      return events.events({ client, episode }, { tell, signal: forever() }).then(() => order.push(`${name}: end`));
    };
    const first = follow('first');
    await service.act({ client, episode, sequence: 1, action: { type: 'command', command: 'sleep 9' } });
    order.push('acted');
    await service.grade({ client, episode, truncatedBy: null });
    await first;
    await follow('late');
    const told = ['first: death-1 (death) at 3', 'acted', 'first: end'];
    expect(order).toEqual([...told, 'late: death-1 (death) at 3', 'late: end']);
  });

  test('events() ends, when the episode is released, and refuses from then on', async ({ skip }) => {
    await using served = await open();
    const { service, events } = served;
    if (events === null) return skip(noStreams);
    const episode = await create(served);
    const follow = () => codeOf(events, client, episode);
    const following = follow();
    await service.release({ client, episode });
    expect([await following, await follow()]).toEqual(['none', 'E_EPISODE']);
  });

  test('events() refuses, when the episode is not pushed or not this client’s', async ({ skip }) => {
    await using served = await open();
    const { service, events } = served;
    if (events === null) return skip(noStreams);
    await service.describe({ protocol: 1, client: 'thief', split: '' });
    const episode = await create(served, { ...pushed, delivery: 'poll' });
    expect(await codeOf(events, client, episode)).toBe('E_DELIVERY');
    expect(await codeOf(events, 'thief', episode)).toBe('E_EPISODE');
    expect(await codeOf(events, 'stranger', episode)).toBe('E_LEASE');
  });

  test('carry() says what to do instead, when it is to carry a stream', async ({ skip }) => {
    await using served = await open();
    const { carry, events } = served;
    if (carry === null || events !== null) return skip('this wire has streams');
    const call = carry('Events', encodeEventsRequest({ client, episode: 'e' }));
    const refusal = await call.then(() => null, toRefusal);
    expect(refusal).toMatchObject({ code: 'E_METHOD', hint: expect.stringContaining('ActReply.pushed') });
  });
}

type Tell = Parameters<EventService['events']>[1]['tell'];

/** Never aborts. */
function forever(): AbortSignal {
  return new AbortController().signal;
}

/** How a subscription ends: the code of the refusal, or `none`. */
async function codeOf(events: EventService, client: string, episode: string): Promise<string> {
  const over = events.events({ client, episode }, { tell: () => undefined, signal: forever() });
  return over.then(
    () => 'none',
    (error: unknown) => toRefusal(error).code,
  );
}
