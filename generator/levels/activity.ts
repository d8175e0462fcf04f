import { actsAt, type EventMaker, labelled } from './kind.ts';
import { hasLabel, noteOn, readLabel } from './shell.ts';

const label = 'order';

/** A worker prints an order. */
export const activity: EventMaker = {
  kind: 'activity',
  choosesWindow: false,
  slots: 1,
  heartbeat: false,
  rules: [
    () => 'A worker may print an order: a line "order: " with 8 hex digits. These digits are the code.',
    () =>
      'If one of these workers shows a new line that starts with "order: ", the 8 hex digits after it are the code.',
    () =>
      'Orders may come in at these workers; one is a line "order: XXXXXXXX" on a screen, and its 8 hex digits are the code.',
  ],
  happens: 'prints an order',
  makeEvent: ({ id, worker, atMs, slots: [code = ''] }) => ({
    kind: 'activity',
    id,
    worker,
    atMs,
    deadlineMs: null,
    says: labelled(label, code),
  }),
  codeOf: ([code = '']) => code,
  reactions: () => [],
  decoy: ({ atMs, slots: [code = ''] }) => ({
    acts: actsAt(atMs, { type: 'print', lines: labelled(label, code) }),
  }),
  moves: () => ({
    readsScreen: true,
    before: [],
    sign: hasLabel(label),
    handle: [readLabel(label)],
    arm: ['tmux set-option -wg monitor-activity on', noteOn('alert-activity')],
    armWindow: [],
  }),
};
