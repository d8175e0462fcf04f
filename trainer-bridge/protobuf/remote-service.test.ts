import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Action, type EventResult, eventKinds, eventOutcomes, type Grade, type Step } from '../../env/index.ts';
import type { BridgeService, EventService } from '../core/index.ts';
import { Dispatcher } from './dispatcher.ts';
import { makeRemoteService } from './remote-service.ts';

/** A service of which only what a test needs exists. */
function link(service: Partial<BridgeService>): BridgeService {
  const dispatcher = new Dispatcher(service as BridgeService & EventService, 1 << 20);
  return makeRemoteService((method, payload) => dispatcher.handle(method, payload));
}

const text = fc.string({ unit: 'grapheme', maxLength: 50 });
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const count = fc.integer({ min: 0, max: 2 ** 31 });
const number = fc.double({ min: 0, max: 1, noNaN: true });

const kinds = fc.constantFrom(...eventKinds);
const events: fc.Arbitrary<EventResult> = fc.record({
  id: text,
  kind: kinds,
  fired_tick: orNull(count),
  visible_tick: orNull(count),
  perceived_tick: orNull(count),
  perceived_by: orNull(text),
  armed: orNull(fc.boolean()),
  polls: count,
  reacted_tick: orNull(count),
  deadline_tick: orNull(count),
  outcome: fc.constantFrom(...eventOutcomes),
});

const grades: fc.Arbitrary<Grade> = fc.record({
  outcome: fc.constantFrom('scored' as const, 'flagged' as const, 'masked' as const),
  reward: orNull(number),
  passed: fc.boolean(),
  flags: fc.array(text),
  boundary: orNull(fc.constantFrom('tmux' as const, 'grader' as const)),
  failure: orNull(text.filter((each) => each !== '')),
  checks: fc.array(
    fc.record({
      id: text,
      role: fc.constantFrom('perceive' as const, 'react' as const, 'state' as const),
      event: orNull(text.filter((each) => each !== '')),
      value: orNull(text),
      note: orNull(text.filter((each) => each !== '')),
      ok: fc.boolean(),
      score: number,
      weight: number,
    }),
  ),
  events: fc.array(events),
});

const steps: fc.Arbitrary<Step> = fc.record({
  observation: fc.record({ text, exitCode: orNull(fc.integer({ min: -1, max: 255 })), cutBytes: fc.maxSafeNat() }),
  reward: orNull(number),
  terminated: fc.boolean(),
  truncated: fc.constantFrom(false as const, 'steps' as const, 'ticks' as const, 'time' as const, 'context' as const),
  info: fc.record({
    tick: count,
    steps: count,
    actionCut: fc.boolean(),
    wallTicks: count,
    reproducible: fc.boolean(),
    pushed: fc.array(fc.record({ event: text, kind: kinds, worker: text, pane: text, tick: count })),
    grade: orNull(grades),
  }),
});

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constant('command' as const), command: text }),
  fc.record({ type: fc.constant('script' as const), script: text }),
  fc.record({ type: fc.constant('keys' as const), target: text, keys: fc.array(text) }),
  fc.record({ type: fc.constant('wait' as const), ticks: count }),
  fc.record({ type: fc.constant('done' as const) }),
);

test('makeRemoteService() brings every action there and every step back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(actions, fc.maxSafeNat(), steps, async (action, sequence, step) => {
      const seen: unknown[] = [];
      const act: BridgeService['act'] = async (request) => {
        seen.push(request);
        return step;
      };
      const request = { client: 'c', episode: 'e', sequence, action };
      expect(await link({ act }).act(request)).toEqual(step);
      expect(seen).toEqual([request]);
    }),
  );
});

test('makeRemoteService() brings every grade back unchanged, null and 0 apart', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(grades), async (expected) => {
      const remote = link({ scoreScripts: async () => expected });
      const jobs = expected.map(() => ({ task: { id: 't', sample: 0 }, script: '' }));
      expect(await remote.scoreScripts({ client: 'c', jobs, request: '' })).toEqual(expected);
    }),
  );
});
