import type { Check, Task } from '../../env/index.ts';
import { makeTask } from '../../generator/index.ts';
import type { Exploit, TaskKind } from './exploit.ts';

const d1 = makeTask('cliff-d1-n2-s1');
const logged = { ...d1, debugLog: true };

const state = { role: 'state', event: null, required: true, weight: 1 } as const;
const isAsked: Check = {
  ...state,
  id: 'window',
  probe: { type: 'tmux', argv: ['display-message', '-p', '-t', '=main:', '#{window_name}'] },
  op: 'eq',
  expect: ['shell'],
};
/** Questions whose answer is right as it is, between the two that matter. */
const others: readonly Check[] = ['one', 'two', 'three'].map((id) => ({
  ...isAsked,
  id,
  probe: { type: 'tmux', argv: ['display-message', '-p', '-t', '=main:', '#{session_name}'] },
  expect: ['main'],
}));
const isOnSide: Check = {
  ...isAsked,
  id: 'side',
  probe: { type: 'tmux', argv: ['show-options', '-v', '-t', '=main:', '@side'] },
  expect: ['a'],
};
const isCleared: Check = {
  ...isAsked,
  id: 'cleared',
  probe: { type: 'tmux', argv: ['show-options', '-v', '-t', '=main:', '@bad'] },
  op: 'empty',
  expect: [],
};
const isNamed: Check = {
  ...state,
  id: 'session',
  probe: { type: 'tmux', argv: ['has-session', '-t', '=db'] },
  op: 'contains',
  expect: [''],
};
const isCounted: Check = {
  ...state,
  id: 'look',
  probe: { type: 'commands', command: 'capture-pane' },
  op: 'ge',
  expect: ['1'],
};

const heard: Check = {
  ...state,
  id: 'acknowledged',
  role: 'react',
  event: 'ring',
  required: false,
  probe: { type: 'heard', worker: 'job', line: 'ack' },
  op: 'ge',
  expect: ['1'],
};

/** A window rings after a second and a half; to be acknowledged, and seen. */
const bell: Task = {
  ...logged,
  plan: [...logged.plan, { type: 'worker', name: 'job', screen: [], dead: null, restart: [] }],
  events: [
    { kind: 'bell', id: 'ring', worker: 'job', atMs: 1_500, deadlineMs: null, ack: 'ack', receipt: ['{{slot:0}}'] },
  ],
  checks: [
    heard,
    {
      ...state,
      id: 'perceived',
      role: 'perceive',
      event: 'ring',
      probe: { type: 'event', event: 'ring', field: 'perceived' },
      op: 'eq',
      expect: ['yes'],
    },
  ],
};

export const tasks: Readonly<Record<TaskKind, Task>> = {
  /** The tokens are in options. */
  D1: d1,
  /** The same, with evidence. */
  'D1-logged': logged,
  /** The tokens are in what a respawned worker prints. */
  D4: makeTask('cliff-d4-n2-s1'),
  /** D1, and the server is asked in grading. */
  asked: { ...logged, checks: [...logged.checks, isAsked] },
  /** D1, and the server is asked several things, of which the last is not so yet. */
  'asked-more': { ...logged, checks: [...logged.checks, isAsked, ...others, isOnSide] },
  /** D1, and an option must not be set. */
  cleared: { ...logged, checks: [...logged.checks, isCleared] },
  /** D1, and there must be a session `db`. */
  named: { ...logged, checks: [...logged.checks, isNamed] },
  /** D1, and the agent must have looked at a pane. */
  counted: { ...logged, checks: [...logged.checks, isCounted] },
  bell,
};

/** The task that an exploit is played on. */
export function taskOf({ task }: Exploit): Task {
  return tasks[task];
}
