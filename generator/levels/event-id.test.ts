import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventKinds } from '../../env/index.ts';
import { formatEventId, parseEventId } from './event-id.ts';
import { makeEventTask } from './event-task.ts';

const spec = fc.record({
  kind: fc.constantFrom(...eventKinds, 'mixed' as const),
  level: fc.integer({ min: 0, max: 4 }),
  count: fc.integer({ min: 1, max: 8 }),
  seed: fc.maxSafeNat(),
  arm: fc.constantFrom('event' as const, 'none' as const, 'told' as const),
  overrides: fc.record(
    { spacing: fc.integer({ min: 9, max: 60 }), bystanders: fc.constantFrom(1, 2, 7) },
    { requiredKeys: [] },
  ),
});

test('parseEventId() reads what formatEventId() wrote, when the spec is any place of the grid', () => {
  fc.assert(
    fc.property(spec, (place) => {
      expect(parseEventId(formatEventId(place))).toEqual(place);
    }),
  );
});

test('formatEventId() sorts what is overridden behind the arm, when there are overrides', () => {
  const place = { kind: 'bell', level: 1, count: 2, seed: 7, arm: 'told' } as const;
  const overrides = { spacing: 9, delegation: 'nested', chatter: 2 } as const;
  expect(formatEventId({ ...place, overrides })).toBe(
    'events-bell-e1-k2-s7+told~chatter=2~delegation=nested~spacing=9',
  );
});

test.each([
  ['events-bell-e1-k1', 'E_TASK_ID'],
  ['events-bell-e01-k1-s7', 'E_TASK_ID'],
  ['events-bell-e1-k1-s7+event', 'E_TASK_ID'],
  ['events-bell-e1-k1-s7+none+told', 'E_TASK_ID'],
  ['events-bell-e1-k1-s7~length=long+none', 'E_OVERRIDE'],
  ['events-knock-e1-k1-s7', 'E_KIND'],
  ['events-bell-e5-k1-s7', 'E_LEVEL'],
  ['events-bell-e1-k9-s7', 'E_EVENT_COUNT'],
  ['events-bell-e1-k0-s7', 'E_EVENT_COUNT'],
  ['events-bell-e1-k1-s9007199254740992', 'E_SEED'],
  ['events-bell-e1-k1-s7~volume=2', 'E_OVERRIDE'],
  ['events-bell-e1-k1-s7~', 'E_OVERRIDE'],
  ['events-bell-e1-k1-s7~chatter', 'E_OVERRIDE'],
  ['events-bell-e1-k1-s7~chatter=02', 'E_OVERRIDE'],
  ['events-bell-e1-k1-s7~chatter=5', 'E_OVERRIDE'],
  ['events-bell-e1-k1-s7~chatter=0', 'E_OVERRIDE'],
  ['events-bell-e1-k1-s7~length=long~chatter=2', 'E_OVERRIDE'],
  ['events-bell-e1-k1-s7~chatter=2~chatter=3', 'E_OVERRIDE'],
])('parseEventId() refuses %s, when it names no task or names it in a second way', (id, code) => {
  expect(() => parseEventId(id)).toThrow(expect.objectContaining({ code }));
});

test('makeEventTask() refuses a place, when it is outside of the grid', () => {
  const place = { kind: 'bell', level: 1, count: 1, seed: 7, arm: 'event' } as const;
  expect(() => makeEventTask({ ...place, level: 5 })).toThrow(expect.objectContaining({ code: 'E_LEVEL' }));
  expect(() => makeEventTask({ ...place, count: 9 })).toThrow(expect.objectContaining({ code: 'E_EVENT_COUNT' }));
  expect(() => makeEventTask({ ...place, overrides: { chatter: 9 } })).toThrow(
    expect.objectContaining({ code: 'E_OVERRIDE' }),
  );
});
