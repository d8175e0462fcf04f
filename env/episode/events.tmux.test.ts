import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGym, type Gym } from '../index.ts';
import { arms, done, events, makeTask, play, polls } from './event-task.test-fixture.ts';

let gym: Gym;
beforeAll(async () => {
  gym = await createGym({ rung: 'bubblewrap', poolSize: 2 });
});
afterAll(() => gym?.close());

describe.each(Object.keys(events) as (keyof typeof events)[])('an event of kind %s', (kind) => {
  const task = makeTask(events[kind]);

  test('is handled by polling, and its ticks come from the record', async () => {
    const { grade, event } = await play(gym, task, [...polls[kind], done]);
    expect(grade).toMatchObject({ outcome: 'scored', reward: 1, passed: true, flags: [] });
    expect(event).toMatchObject({ kind, fired_tick: 3, armed: false, outcome: 'handled' });
    expect(event.visible_tick).toBe(kind === 'silence' ? 4 : 3);
    expect(event.perceived_tick).toBeGreaterThanOrEqual(event.visible_tick!);
    expect(event.polls).toBeGreaterThan(0);
  });

  test('is handled by arming', async () => {
    const { grade, event } = await play(gym, task, [...arms[kind], done]);
    expect(grade).toMatchObject({ outcome: 'scored', reward: 1, passed: true, flags: [] });
    expect(event).toMatchObject({ fired_tick: 3, armed: true, outcome: 'handled' });
    expect(event.perceived_by).toBe(kind === 'completion' ? 'wait-for' : 'hook');
  });

  test('is never perceived, when nobody looks', async () => {
    const { grade, event } = await play(gym, task, ['echo busy; sleep 8', 'echo 00000000 > $REPORT', done]);
    expect(grade).toMatchObject({ outcome: 'scored', reward: 0, passed: false });
    expect(event).toMatchObject({
      fired_tick: 3,
      perceived_tick: null,
      reacted_tick: null,
      outcome: 'never-perceived',
    });
  });

  test('does not happen, when its time is null, and a reaction is a false alarm', async () => {
    const none = makeTask({ ...events[kind], atMs: null });
    const attempt = 'ack' in events[kind] ? 'tmux send-keys -t w1 ack Enter' : 'echo x > $REPORT; sleep 0.5';
    const { event } = await play(gym, none, ['sleep 8', attempt, done]);
    expect(event).toMatchObject({ fired_tick: null, outcome: 'not-fired' });
    // An acknowledgement is heard at once, a file is looked at when the action is over.
    expect(event.reacted_tick).toBe('ack' in events[kind] ? 8 : 9);
  });
});
