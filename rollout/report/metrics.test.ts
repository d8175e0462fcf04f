import { describe, expect, test } from 'vitest';
import type { RolloutRecord } from '../record/index.ts';
import { formatSections } from './format-sections.ts';
import { summarize } from './index.ts';
import { makeMetricSections } from './metric-sections.ts';
import { makeMetrics } from './metrics.ts';
import { makeEvent, makeEventRecord, makeRecord } from './record.test-double.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('makeMetrics() events', { timeout: 60_000 }, () => {
  const outcomes = ['handled', 'handled', 'late', 'perceived-not-reacted', 'never-perceived', 'left-before'] as const;
  const records = [
    ...outcomes.map((outcome, seed) => makeEventRecord(seed, [makeEvent(outcome, { polls: seed })])),
    makeEventRecord(10, [makeEvent('not-fired')], { truncated_by: 'steps' }),
    makeEventRecord(11, [makeEvent('void')]),
  ];

  test('counts 1 - handled / due, and leaves out what never fired or was voided', () => {
    const [bell] = makeMetrics(records).events;
    expect(bell).toMatchObject({ kind: 'bell', events: 6, missed: { count: 4, n: 6, ci_method: 'wilson' } });
    expect(bell?.outcomes).toEqual({
      ...{ handled: 2, late: 1, 'perceived-not-reacted': 1, 'reacted-blind': 0, 'never-perceived': 1 },
      ...{ 'left-before': 1, 'not-fired': 1, void: 1 },
    });
  });

  test('gives reaction accuracy over the perceived, and the share never perceived beside the latency', () => {
    const [bell] = makeMetrics(records).events;
    expect(bell?.reaction_accuracy).toMatchObject({ count: 2, n: 4 });
    expect(bell?.never_perceived).toMatchObject({ count: 2, n: 6 });
    expect(bell?.notice_latency).toMatchObject({ n: 4, median: 1 });
    expect(bell?.polls).toMatchObject({ n: 6, median: 2.5 });
  });

  test('has no event, when all arms but `event` were played or episodes are masked', () => {
    const masked = { outcome: 'masked', reward: null, boundary: 'tmux', failure: 'gone' } as const;
    const others = [
      makeEventRecord(0, [makeEvent('not-fired', { reacted_tick: 3 })], { arm: 'none' }),
      makeEventRecord(0, [makeEvent('handled')], { arm: 'told' }),
      makeEventRecord(0, [makeEvent('handled')], masked),
    ];
    expect(makeMetrics(others)).toMatchObject({ events: [], ehc: { value: null, events: 0 } });
  });

  test('weighs kinds alike in EHC, and draws events of one task together', () => {
    const death = { kind: 'death' as const };
    const mixed = [
      ...range(9).map((seed) => makeEventRecord(seed, [makeEvent('handled'), makeEvent('handled', { id: 'b' })])),
      ...range(3).map((seed) => makeEventRecord(seed, [makeEvent('never-perceived', death)], death)),
      ...range(3).map((seed) => makeEventRecord(20 + seed, [makeEvent('handled', death)], death)),
    ];
    const { ehc, events } = makeMetrics(mixed);
    expect(ehc).toMatchObject({ value: 0.75, kinds: 2, events: 24 });
    expect(ehc.ci_low).toBeLessThan(0.75);
    expect(ehc.ci_high).toBeGreaterThan(0.75);
    expect(events.map(({ kind }) => kind)).toEqual(['bell', 'death']);
  });

  test('stands in the cells of a summary too', () => {
    const none = [0, 3].map((tick, seed) =>
      makeEventRecord(seed, [makeEvent('not-fired', { reacted_tick: tick || null })], { arm: 'none' }),
    );
    const [summary] = summarize([...records, ...none]);
    expect(summary?.cells.find(({ arm }) => arm === 'event')).toMatchObject({ events: 6, missed_event_rate: 4 / 6 });
    expect(summary?.cells.find(({ arm }) => arm === 'none')).toMatchObject({ events: 0, false_alarm_rate: 0.5 });
    expect(summary?.totals.ehc).toBeCloseTo(1 / 3, 12);
    expect(summary?.totals).toMatchObject({ missed_event_rate: 4 / 6, false_alarm_rate: 0.5 });
  });
});

describe('makeMetrics() arms', { timeout: 60_000 }, () => {
  const told = (seed: number, passed: boolean) =>
    makeEventRecord(seed, [makeEvent(passed ? 'handled' : 'never-perceived')], { arm: 'told' });
  const event = (seed: number, handled: boolean) =>
    makeEventRecord(seed, [makeEvent(handled ? 'handled' : 'never-perceived')]);

  test('pairs told and event by task, and leaves out tasks of one arm', () => {
    const records = [
      ...range(10).map((seed) => event(seed, seed < 2)),
      ...range(10).map((seed) => told(seed, seed < 8)),
      told(99, false),
    ];
    const effect = makeMetrics(records).arms.missing_event_effect;
    expect(effect).toMatchObject({ tasks: 10, passed_event: 0.2, passed_told: 0.8, only_told: 6, only_event: 0 });
    expect(effect?.difference).toBeCloseTo(0.6, 12);
    expect(effect?.p).toBeCloseTo(2 * 0.5 ** 6, 12);
    expect(effect?.ci_low).toBeGreaterThan(0.2);
  });

  test("takes the false-alarm rate over `none` episodes and d' over episodes of both arms", () => {
    const none = (seed: number, tick: number | null) =>
      makeEventRecord(seed, [makeEvent('not-fired', { reacted_tick: tick })], { arm: 'none' });
    const records = [
      ...range(10).map((seed) => event(seed, seed < 9)),
      ...range(10).map((seed) => none(seed, seed < 1 ? 3 : null)),
    ];
    const { false_alarms, d_prime } = makeMetrics(records).arms;
    expect(false_alarms).toMatchObject({ count: 1, n: 10 });
    expect(d_prime).toMatchObject({ hits: 9, signals: 10, false_alarms: 1, noises: 10 });
    expect(d_prime?.value).toBeCloseTo(2.195, 2);
    expect(d_prime?.ci_low).toBeLessThan(2.2);
  });

  test('reports the published control, pass(A) - pass(B), beside them', () => {
    const solo = range(4).map((seed) =>
      makeRecord({ suite: 'solo', pillar: 'A', depth: null, ops: null, passed: seed < 3 }),
    );
    const control = makeMetrics([...solo, ...range(4).map((seed) => event(seed, seed < 1))]).arms.published_control;
    expect(control?.difference).toBeCloseTo(0.5, 12);
    expect(control?.ci_low).toBeLessThan(0.5);
  });

  test('is null, when an arm was not played', () => {
    expect(makeMetrics([event(1, true)]).arms).toMatchObject({
      ...{ missing_event_effect: null, published_control: null, d_prime: null },
      false_alarms: { n: 0, rate: null },
    });
  });
});

describe('makeMetrics() effort', { timeout: 60_000 }, () => {
  const records: readonly RolloutRecord[] = [
    makeRecord({ agent_commands: 6, oracle_commands: 3, passed: true, failed_commands: 1, model: 'm', model_turns: 4 }),
    makeRecord({
      ...{ agent_commands: 3, oracle_commands: 3, failed_commands: 2, model: 'm', format_failures: 3, model_turns: 6 },
    }),
    makeRecord({ agent_commands: null, oracle_commands: 3, model: 'm', model_turns: 10, truncated_by: 'steps' }),
  ];

  test('takes efficiency where the server kept a record, and error recovery where a command failed', () => {
    const { effort } = makeMetrics(records);
    expect(effort.efficiency).toMatchObject({ all: { n: 2, median: 1.5 }, passed: { n: 1, median: 2 } });
    expect(effort.error_recovery).toMatchObject({ count: 1, n: 2 });
    expect(effort.format_failures).toMatchObject({ count: 3, n: 20 });
    expect(effort.truncated.steps).toMatchObject({ count: 1, n: 3 });
    expect(effort.truncated.context).toMatchObject({ count: 0, n: 3, ci_low: 0 });
  });

  test('leaves episodes out of the format failures, when their turns were not kept', () => {
    const old = makeRecord({ model: 'm', steps: 2, format_failures: 1, model_turns: null });
    expect(makeMetrics([...records, old]).effort.format_failures).toMatchObject({ count: 3, n: 20 });
  });

  test('has no format failures and no efficiency, when nothing was asked or recorded', () => {
    expect(makeMetrics([makeRecord()]).effort).toMatchObject({
      efficiency: null,
      format_failures: { n: 0, rate: null },
    });
  });
});

describe('makeMetrics() cliff', { timeout: 60_000 }, () => {
  const at = (depth: number, passed: number, n = 10) =>
    range(n).map((seed) => makeRecord({ depth, ops: 1 + (seed % 2), passed: seed < passed }));

  test('reaches the deepest depth of at least 50 % by the lower bound, when all shallower ones are too', () => {
    expect(makeMetrics([...at(0, 10), ...at(1, 10), ...at(2, 5), ...at(3, 10)]).cliff).toMatchObject([{ reach: 1 }]);
    expect(makeMetrics([...at(0, 5), ...at(1, 10)]).cliff).toMatchObject([{ reach: null }]);
    expect(makeMetrics(at(1, 10)).cliff).toMatchObject([{ reach: null, tmux_tax: null }]);
  });

  test('takes the tmux tax between D0 and D1, op-counts alike', () => {
    const [cliff] = makeMetrics([...at(0, 10), ...at(1, 3)]).cliff;
    expect(cliff?.tmux_tax?.difference).toBeCloseTo(0.7, 12);
    expect(cliff?.tmux_tax?.ci_low).toBeLessThan(0.7);
  });

  test('hints at the tasks that ten points need, when planning', () => {
    expect(makeMetrics([...at(0, 5)]).power).toMatchObject({ rate: 0.5, difference: 0.1, tasks: 388, played: 10 });
  });
});

describe('makeMetrics() suite', () => {
  const suite = (category: string, tier: number, passed: readonly boolean[]) =>
    passed.map((one) =>
      makeRecord({ suite: 'solo', pillar: 'A', depth: null, ops: null, category, tier, passed: one }),
    );

  test('weighs tiers 1 to 4, and gives each category its n', () => {
    const { suite: figures } = makeMetrics([...suite('A-SESS', 1, [true, true]), ...suite('A-WIN', 4, [true, false])]);
    expect(figures.categories).toMatchObject([
      { category: 'A-SESS', passed: { count: 2, n: 2 } },
      { category: 'A-WIN', passed: { count: 1, n: 2 } },
    ]);
    expect(figures.tiers.map(({ tier }) => tier)).toEqual([1, 4]);
    expect(figures.score?.value).toBeCloseTo(6 / 10, 12);
    expect(makeMetrics([makeRecord()]).suite).toEqual({ categories: [], tiers: [], score: null });
  });
});

describe('makeMetricSections()', { timeout: 60_000 }, () => {
  test('shows every metric, and never NaN, when there is little to go by', () => {
    const text = formatSections(
      makeMetricSections(
        makeMetrics([
          makeEventRecord(1, [makeEvent('handled', { armed: true, perceived_by: 'wait-for' })], {
            agent_commands: 4,
            oracle_commands: 2,
          }),
          makeEventRecord(1, [makeEvent('handled')], { arm: 'told' }),
          makeEventRecord(1, [makeEvent('not-fired')], { arm: 'none' }),
          makeRecord({ passed: true }),
        ]),
      ),
      'table',
    );
    for (const name of [
      'missed',
      'EHC',
      'latency',
      'reaction accuracy',
      'false-alarm',
      "d'",
      'efficiency',
      'error recovery',
      'reach',
    ]) {
      expect(text).toContain(name);
    }
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });
});
