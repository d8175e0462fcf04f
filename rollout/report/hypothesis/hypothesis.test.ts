import { describe, expect, test } from 'vitest';
import { makeEvent, makeEventRecord } from '../record.test-double.ts';
import { makeCross, makeCrossSections, makeH1, makeH1Sections, makeH2, makeH2Sections } from './index.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const outcome = (handled: boolean) => (handled ? 'handled' : 'never-perceived');

describe('makeH1()', { timeout: 60_000 }, () => {
  /** Episodes of k events, `gap` ticks apart, of which each is missed in a share of the seeds. */
  const play = (k: number, missed: number, gap: number) =>
    range(20).map((seed) =>
      makeEventRecord(
        seed,
        range(k).map((index) => makeEvent(outcome(seed >= missed), { id: `e${index}`, visible_tick: 4 + index * gap })),
      ),
    );

  test('sees the missed-event rate rise, when more events are missed the more there are', () => {
    const [number, density, delegation] = makeH1([...play(1, 2, 0), ...play(2, 8, 3), ...play(4, 18, 3)]).factors;
    expect(number).toMatchObject({ name: 'number', verdict: 'rises' });
    expect(number?.levels.map(({ label, missed }) => [label, missed.rate])).toEqual([
      ['1 event', 0.1],
      ['2 events', 0.4],
      ['4 events', 0.9],
    ]);
    expect(number?.slope?.ci_low).toBeGreaterThan(0.1);
    expect(density).toMatchObject({ verdict: 'does not vary', slope: null });
    expect(delegation?.levels.map(({ label }) => label)).toEqual(['solo']);
  });

  test('says not seen, when the rate is the same', () => {
    expect(makeH1([...play(1, 8, 0), ...play(2, 8, 3)]).factors[0]).toMatchObject({ verdict: 'not seen' });
  });

  test('classes density by the gap of the schedule, and delegation by the record', () => {
    const nested = range(20).map((seed) =>
      makeEventRecord(seed, [makeEvent(outcome(seed < 2))], { delegation: 'nested', task_hash: `n${seed}` }),
    );
    const [, density, delegation] = makeH1([...play(2, 2, 8), ...play(3, 10, 1), ...nested]).factors;
    expect(density?.levels.map(({ label }) => label)).toEqual(['gap over 5 ticks', 'gap up to 2 ticks']);
    expect(density?.verdict).toBe('rises');
    expect(delegation).toMatchObject({ verdict: 'rises' });
    expect(makeH1Sections(makeH1(play(2, 2, 8)))[0]?.notes.join(' ')).toMatch(/by number: does not vary/);
  });
});

describe('makeH2()', { timeout: 60_000 }, () => {
  const play = (seeds: number, handled: number, steps: number, armed: boolean) =>
    range(seeds).map((seed) =>
      makeEventRecord(
        seed,
        [makeEvent(outcome(seed < handled), { armed }), makeEvent(outcome(seed < handled), { id: 'b' })],
        {
          steps,
          task_hash: `${steps} ${armed} ${seed}`,
        },
      ),
    );

  test('sees the gap of arming, and that it widens with length', () => {
    const h2 = makeH2([
      ...play(20, 19, 3, true),
      ...play(20, 17, 3, false),
      ...play(20, 19, 30, true),
      ...play(20, 3, 30, false),
    ]);
    expect(h2.split_steps).toBe(16.5);
    expect(h2.gap.short?.difference).toBeCloseTo(0.1, 12);
    expect(h2.gap.long?.difference).toBeCloseTo(0.8, 12);
    expect(h2.widening?.difference).toBeCloseTo(0.7, 12);
    expect(h2.widening?.ci_low).toBeGreaterThan(0.4);
    expect(h2.groups.map(({ length, monitoring, missed }) => [length, monitoring, missed.n])).toEqual([
      ['short', 'armed', 40],
      ['short', 'not armed', 40],
      ['long', 'armed', 40],
      ['long', 'not armed', 40],
    ]);
  });

  test('has no gap, when nobody armed, and nothing at all without events', () => {
    const h2 = makeH2(play(5, 2, 3, false));
    expect(h2.gap).toEqual({ short: null, long: null, all: null });
    expect(makeH2Sections(h2)[0]?.notes.join(' ')).toContain('a side has no event');
    expect(makeH2([])).toMatchObject({ split_steps: null, groups: [] });
  });
});

describe('makeCross()', { timeout: 60_000 }, () => {
  const play = (loop: string, model: string, passed: number, told: number | null = null) =>
    range(10).flatMap((seed) => [
      { loop, episode: makeEventRecord(seed, [makeEvent(outcome(seed < passed))], { model }) },
      ...(told === null
        ? []
        : [{ loop, episode: makeEventRecord(seed, [makeEvent(outcome(seed < told))], { model, arm: 'told' }) }]),
    ]);

  test('contrasts loops within a model and models within a loop, with and without fluency', () => {
    const { cells, contrasts } = makeCross([
      ...play('text', 'weak', 1, 4),
      ...play('scaffold', 'weak', 6, 7),
      ...play('text', 'strong', 5),
    ]);
    expect(cells.map(({ loop, model, event }) => [loop, model, event.count])).toEqual([
      ['text', 'weak', 1],
      ['scaffold', 'weak', 6],
      ['text', 'strong', 5],
    ]);
    expect(contrasts).toHaveLength(2);
    expect(contrasts[0]).toMatchObject({ within: 'weak', from: 'text', to: 'scaffold', tasks: 10 });
    expect(contrasts[0]?.event.difference).toBeCloseTo(0.5, 12);
    expect(contrasts[0]?.without_fluency?.difference).toBeCloseTo(0.2, 12);
    expect(contrasts[1]).toMatchObject({ within: 'text', from: 'weak', to: 'strong', without_fluency: null });
  });

  test('keeps deliveries apart', () => {
    const pushed = play('text', 'weak', 9).map(({ loop, episode }) => ({
      loop,
      episode: { ...episode, delivery: 'push' as const },
    }));
    const { cells, contrasts } = makeCross([...play('text', 'weak', 1), ...pushed]);
    expect(cells.map(({ delivery }) => delivery)).toEqual(['poll', 'push']);
    expect(contrasts).toEqual([]);
    expect(makeCrossSections({ cells, contrasts }).map(({ id }) => id)).toEqual(['cross', 'contrasts']);
  });
});
