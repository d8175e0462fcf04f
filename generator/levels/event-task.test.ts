import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eventKinds, type Task, taskSchema } from '../../env/index.ts';
import { parseEventId } from './event-id.ts';
import { makeEventTask } from './event-task.ts';
import { makers } from './kinds.ts';
import { levels } from './levels.ts';

const make = (id: string) => makeEventTask(parseEventId(id));
const seedsOf = (count: number) => Array.from({ length: count }, (_, seed) => seed);
const slotsIn = (value: unknown) =>
  [...JSON.stringify(value).matchAll(/\{\{slot:(\d+)\}\}/g)].map(([, digits]) => Number(digits));
const workers = (task: Task) => task.plan.flatMap((operation) => (operation.type === 'worker' ? [operation] : []));
const wordsOf = (text: string) => text.split(/[\s:,.]+/);
/** The text of a task without what tells the arms apart. */
const body = ({ plan, slots, limits }: Task) => JSON.stringify({ plan, slots, limits });

describe.each([...eventKinds, 'mixed'])('kind %s', (kind) => {
  const places = levels.flatMap(({ level }) =>
    [1, 3, 8].flatMap((count) => seedsOf(2).map((seed) => `events-${kind}-e${level}-k${count}-s${seed}`)),
  );
  const tasks = places.flatMap((id) => ['', '+none', '+told'].map((arm) => make(id + arm)));
  const events = places.map(make);

  test('makeEventTask() gives a valid task, when level, count and arm vary', () => {
    for (const task of tasks) {
      expect(taskSchema.parse(JSON.parse(JSON.stringify(task)))).toEqual(task);
    }
  });

  test('makeEventTask() uses every slot and no other, when level, count and arm vary', () => {
    for (const { plan, events: schedule, checks, slots } of tasks) {
      const used = new Set(slotsIn([plan, schedule]));
      expect([...used].sort((a, b) => a - b)).toEqual(seedsOf(slots));
      for (const slot of slotsIn(checks)) expect(used).toContain(slot);
    }
  });

  test('makeEventTask() gives every event secrets of its own, when level and count vary', () => {
    for (const { plan, events: schedule } of tasks) {
      const others = new Set(slotsIn(plan));
      const own = schedule.flatMap((event) => [...new Set(slotsIn(event))]);
      expect(own.length).toBeGreaterThanOrEqual(schedule.length);
      expect(new Set(own).size).toBe(own.length);
      for (const slot of own) expect(others).not.toContain(slot);
    }
  });

  test('makeEventTask() asks for a secret of every event, when the arm is event or told', () => {
    for (const { events: schedule, checks, axes } of tasks) {
      for (const event of schedule) {
        const reactions = checks.filter((check) => check.role === 'react' && check.event === event.id);
        const asked = new Set(slotsIn(reactions));
        expect(slotsIn(event).some((slot) => asked.has(slot))).toBe(axes?.arm !== 'none');
        expect(reactions.length).toBeGreaterThan(0);
      }
    }
  });

  test('makeEventTask() writes nothing that looks like a code, when the text is prompt, plan, event or solution', () => {
    for (const { prompt, plan, events: schedule, solutions } of tasks) {
      expect(JSON.stringify({ prompt, plan, schedule, solutions })).not.toMatch(/[0-9a-fA-F]{8}/);
      expect(prompt).not.toContain('{{');
    }
  });

  test('makeEventTask() lets the first event come after the first command and the last before the end, when levels vary', () => {
    for (const { events: schedule, prompt } of events) {
      const times = schedule.map(({ atMs }) => atMs!);
      const end = Number(/(\d+) seconds (?:from|have passed|they)/.exec(prompt)![1]);
      expect(times.toSorted((a, b) => a - b)).toEqual(times);
      expect(times[0]).toBeGreaterThanOrEqual(3_000);
      expect(times.at(-1)! + 5_000).toBeLessThan(end * 1_000);
    }
  });

  test('makeEventTask() says neither that nor where nor when it happens, when the arm is event', () => {
    for (const [index, id] of places.entries()) {
      const { prompt, events: schedule } = events[index]!;
      expect(make(`${id}+none`).prompt).toBe(prompt);
      expect(wordsOf(prompt)).not.toContain('known');
      for (const { worker, atMs } of schedule) {
        expect(prompt).not.toContain(`${atMs! / 1_000} seconds after`);
        expect(wordsOf(prompt).filter((word) => word === worker).length).toBeLessThanOrEqual(1);
      }
    }
  });

  test('makeEventTask() says what, where and when, when the arm is told', () => {
    for (const [index, id] of places.entries()) {
      const told = make(`${id}+told`);
      expect(told.prompt.startsWith(events[index]!.prompt)).toBe(true);
      for (const { kind: what, worker, atMs } of told.events) {
        expect(told.prompt).toContain(`${atMs! / 1_000} seconds after your first command`);
        expect(told.prompt).toContain(`${worker} ${makers[what].happens}`);
      }
    }
  });

  test('makeEventTask() gives the arms of a seed one world, when only the arm differs', () => {
    for (const [index, id] of places.entries()) {
      const [event, none, told] = [events[index]!, make(`${id}+none`), make(`${id}+told`)];
      expect(body(none)).toBe(body(event));
      expect(body(told)).toBe(body(event));
      expect(told.events).toEqual(event.events);
      expect(none.events).toEqual(event.events.map((each) => ({ ...each, atMs: null })));
    }
  });

  test('makeEventTask() uses every wording, when seeds vary', () => {
    const used = new Map(
      seedsOf(40)
        .map((seed) => make(`events-${kind}-e1-k1-s${seed}`))
        .map((task) => [task.paraphrase, task.prompt]),
    );
    expect(used.size).toBeGreaterThanOrEqual(3);
  });

  test('makeEventTask() gives equal bytes twice and other ones for other seeds, when seeds are neighbours', () => {
    const lines = seedsOf(25).map((seed) => JSON.stringify(make(`events-${kind}-e2-k2-s${seed}`)));
    expect(lines).toEqual(seedsOf(25).map((seed) => JSON.stringify(make(`events-${kind}-e2-k2-s${seed}`))));
    expect(new Set(lines).size).toBe(25);
  });

  test('makeEventTask() names the watched windows, when the prompt lists them', () => {
    for (const task of tasks) {
      const listed = workers(task)
        .filter(({ name }) => wordsOf(task.prompt).includes(name))
        .map(({ name }) => name);
      const { level, delegation } = task.axes!;
      if (level! <= 2) for (const { worker } of task.events) expect(listed).toContain(worker);
      else
        expect(
          task.events.every(({ worker }) => workers(task).find(({ name }) => name === worker)?.session === 'crew'),
        ).toBe(true);
      if (delegation !== 'solo') expect(listed.length).toBeGreaterThanOrEqual(1);
    }
  });
});

test('makeEventTask() leaves no telling mark on the worker to which something happens, when it is compared with the rest', () => {
  for (const kind of ['death', 'activity', 'completion', 'interrupt', 'bell']) {
    const task = make(`events-${kind}-e3-k2-s5`);
    const shapes = workers(task)
      .filter(({ session }) => session === 'crew')
      .map((worker) =>
        JSON.stringify({
          ...worker,
          name: '',
          screen: worker.screen.length,
          restart: worker.restart.length,
          acts: worker.acts?.map(({ type }) => type),
          starts: worker.starts?.length,
          hears: worker.hears?.map(({ line }) => line),
        }),
      );
    expect(new Set(shapes).size).toBe(1);
  }
});

test('makeEventTask() states how likely a guess is, when an event only chooses a window', () => {
  expect(make('events-bell-e0-k1-s0').guess).toBe(1 / 4);
  expect(make('events-silence-e1-k2-s0').guess).toBe(1 / 10);
  expect(make('events-bell-e4-k8-s0').guess).toBeCloseTo(1 / 12_870, 12);
  expect(make('events-death-e0-k1-s0').guess).toBeUndefined();
  expect(make('events-mixed-e1-k6-s0').guess).toBeUndefined();
  expect(make('events-bell-e0-k1-s0+told').guess).toBeUndefined();
});

test('makeEventTask() answers an early or a wrong acknowledgement with a receipt of the same form, when it is a bell', () => {
  const task = make('events-bell-e1-k1-s3');
  const [event] = task.events;
  const ack = event?.kind === 'bell' ? event.ack : '';
  for (const { hears } of workers(task)) {
    expect(hears).toEqual([{ line: ack, times: 1, acts: [expect.objectContaining({ type: 'print' })] }]);
    expect(JSON.stringify(hears)).toMatch(/"receipt: \{\{slot:\d+\}\}"/);
  }
});

test('makeEventTask() replaces a choice of the level, when the id says so', () => {
  expect(make('events-death-e0-k1-s1~delegation=nested').axes?.delegation).toBe('nested');
  expect(make('events-death-e0-k1-s1').pillar).toBe('B');
  expect(make('events-death-e0-k1-s1~delegation=one').pillar).toBe('C');
  expect(make('events-death-e0-k1-s1~length=long').events[0]!.atMs).toBeGreaterThanOrEqual(16_000);
  const many = make('events-death-e0-k1-s1~bystanders=9~decoys=4');
  expect(workers(many)).toHaveLength(14);
  const clash = make('events-death-e0-k1-s1~depth=3');
  expect(workers(clash).find(({ name }) => name === clash.events[0]!.worker)?.session).toBe('crew');
});

test('makeEventTask() brings every kind before it brings one again, when it is mixed', () => {
  for (const seed of seedsOf(10)) {
    const kinds = make(`events-mixed-e1-k8-s${seed}`).events.map(({ kind }) => kind);
    expect(new Set(kinds.slice(0, 6)).size).toBe(6);
  }
  const firsts = seedsOf(60).map((seed) => make(`events-mixed-e1-k1-s${seed}`).events[0]!.kind);
  expect(new Set(firsts)).toEqual(new Set(eventKinds));
});

test('the note of an event is right, when it stands alone or beside notes of other events', () => {
  const { checks, events } = make('events-death-e1-k2-s0');
  const [check] = checks.filter(({ op }) => op === 'regex');
  const [a, b] = events.map(({ worker }) => worker);
  const pattern = new RegExp(check!.expect[0]!.replaceAll(/\{\{slot:\d+\}\}/g, '0badcafe'));
  const right = [`${a} 0badcafe`, `${b} 0badbeef\n${a} 0badcafe`, ` ${a}  0badcafe \r\n\n${b} 0badbeef`];
  for (const text of right) expect(text).toMatch(pattern);
  const doubled = [`${a} 0badcafe\n${a} 0badbeef`, `${a} 0badbeef\n${a} 0badcafe`, `${a} 0badcafe 0badbeef`];
  const foreign = [`${a} 0badcafe\nother 0badbeef`, `other 0badbeef\n${a} 0badcafe`, `${a} 0badcafe\n${b} all is well`];
  const other = ['', `x${a} 0badcafe`, `${a}0badcafe`, `${a} 0badcafe0`, `${b} 0badcafe`];
  for (const text of [...doubled, ...foreign, ...other]) expect(text).not.toMatch(pattern);
});

test('makeEventTask() weighs the job one and each event two, when the arm is event', () => {
  for (const kind of [...eventKinds, 'mixed']) {
    const { checks } = make(`events-${kind}-e1-k3-s0`);
    expect(checks.reduce((sum, { weight }) => sum + weight, 0)).toBe(7);
  }
});

test.each([...eventKinds, 'mixed'])('makeEventTask() gives the frozen bytes, when the kind is %s', (kind) => {
  const frozen = readFileSync(new URL(`../golden/events-${kind}-e2-k2-s7.json`, import.meta.url), 'utf8');
  expect(`${JSON.stringify(make(`events-${kind}-e2-k2-s7`), null, 2)}\n`).toBe(frozen);
});
