import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { requirePosable, type SetupOperation, type Task, taskSchema } from './index.ts';

const golden = taskSchema.parse(JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')));
const check = golden.checks[0]!;
const withPlan = (...plan: SetupOperation[]): Task => ({ ...golden, plan });
const file = (path: string, content = ''): SetupOperation => ({ type: 'file', path, content });
const refused = (where: string | RegExp) =>
  expect.objectContaining({ name: 'InputError', code: 'E_TASK', message: expect.stringMatching(where) });

describe('requirePosable()', () => {
  test('takes the golden task', () => {
    expect(() => requirePosable(golden)).not.toThrow();
  });

  test.each<[string, Task, RegExp]>([
    ['is none', { id: 'x' } as Task, /task "x".*at suite/],
    ['is nothing', null as unknown as Task, /Cannot pose task/],
    ['makes a file twice', withPlan(file('a'), file('b'), file('a')), /at plan\.2.*"a" a second time/],
    ['makes a window twice', withPlan({ type: 'window', name: 'w' }, { type: 'window', name: 'w' }), /at plan\.1.*"w"/],
    ['takes the name of the shell', withPlan({ type: 'window', name: 'shell' }), /at plan\.0.*"shell"/],
    ['holds more than HOME', withPlan(file('a', 'x'.repeat(5 << 20))), /at plan.*bytes of files/],
    ['sets up a secret that it does not have', withPlan(file('a', '{{slot:2}}')), /slot:2.*only 2 slots/],
    ['checks a secret that it does not have', { ...golden, checks: [{ ...check, expect: ['{{slot:9}}'] }] }, /slot:9/],
    [
      'checks by a pattern that is none',
      { ...golden, checks: [{ ...check, op: 'regex', expect: ['('] }] },
      /at checks\.0/,
    ],
    [
      'welcomes a hook that its own question would run',
      {
        ...golden,
        hooks: ['after-list-windows'],
        checks: [{ ...check, probe: { type: 'tmux', argv: ['list-windows'] } }],
      },
      /at checks\.0\.probe.*list-windows/,
    ],
  ])('refuses with E_TASK and says where, when the task %s', (_, task, message) => {
    expect(() => requirePosable(task)).toThrow(refused(message));
  });
});

describe('requirePosable() of events', () => {
  const worker = { type: 'worker', name: 'w1', screen: [], dead: null, restart: [] } as const;
  const event = {
    kind: 'bell',
    id: 'e1',
    worker: 'w1',
    atMs: 2_000,
    deadlineMs: null,
    ack: 'ack',
    receipt: [],
  } as const;
  const react = { ...check, role: 'react', event: 'e1' } as const;
  const good: Task = { ...golden, debugLog: true, plan: [worker], events: [event], checks: [react] };

  test('takes an event whose worker exists, whose reaction is checked and whose record is kept', () => {
    expect(() => requirePosable(good)).not.toThrow();
  });

  test.each<[string, Partial<Task>, RegExp]>([
    ['has two events of one name', { events: [event, event] }, /at events.*a second time/],
    ['has an event of nobody', { events: [{ ...event, worker: 'w2' }] }, /at events\.0\.worker.*"w2"/],
    ['has an event at no time of the episode', { events: [{ ...event, atMs: 0 }] }, /at events\.0\.atMs/],
    ['keeps no record', { debugLog: false }, /at debugLog/],
    ['checks no reaction', { checks: [check] }, /at checks.*role "react" for event "e1"/],
    ['checks an event that it lacks', { checks: [react, { ...check, event: 'e2' }] }, /at checks\.1\.event.*"e2"/],
    [
      'asks what a stranger heard',
      { checks: [react, { ...check, probe: { type: 'heard', worker: 'w9', line: 'x' } }] },
      /at checks\.1\.probe.*"w9"/,
    ],
    [
      'fires an event that it lacks',
      { plan: [{ ...worker, acts: [{ type: 'fire', afterMs: 1, event: 'e2' }] }] },
      /worker "w1".*"e2"/,
    ],
    [
      'shows a secret in a start command',
      { plan: [worker, { type: 'tmux', argv: ['split-window', '-t', 'w1', 'echo {{slot:0}}'] }] },
      /at plan\.1.*split-window/,
    ],
    [
      'asks tmux by a command that writes',
      { checks: [react, { ...check, probe: { type: 'tmux', argv: ['kill-server'] } }] },
      /at checks\.1\.probe/,
    ],
  ])('refuses with E_TASK and says where, when the task %s', (_, more, message) => {
    expect(() => requirePosable({ ...good, ...more })).toThrow(refused(message));
  });
});
