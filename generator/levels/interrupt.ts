import { actsAt, type EventMaker, labelled } from './kind.ts';
import { hasLabel, noteOn, readLabel, typeForReceipt } from './shell.ts';

const label = 'question';

/** A worker asks for a code to be repeated, and waits; the right answer gives a receipt. */
export const interrupt: EventMaker = {
  kind: 'interrupt',
  choosesWindow: false,
  slots: 2,
  heartbeat: false,
  rules: [
    () =>
      'A worker may stop and ask: it prints a line "question: " with 8 hex digits. Type exactly these digits and Enter into its window; a second later it prints a line "receipt: " with 8 other hex digits, and those are the code.',
    () =>
      'If one of these workers is blocked on a line "question: XXXXXXXX", answer it by sending the same 8 hex digits and Enter to its window. About a second later its screen has "receipt: " and another 8 hex digits, the code.',
    () =>
      'Workers may need you: a line "question: " with 8 hex digits waits for these digits to be typed into that window, followed by Enter. The code is not in the question; it is the 8 hex digits of the "receipt: " line that follows a second later.',
  ],
  happens: 'stops and asks',
  makeEvent: ({ id, worker, atMs, slots: [asked = '', receipt = ''] }) => ({
    kind: 'interrupt',
    id,
    worker,
    atMs,
    deadlineMs: null,
    asks: labelled(label, asked),
    answer: asked,
    receipt: labelled('receipt', receipt),
  }),
  codeOf: ([, receipt = '']) => receipt,
  reactions: ({ id, worker, slots: [asked = ''] }) => [
    { id: `${id}-answer`, probe: { type: 'heard', worker, line: asked }, op: 'ge', expect: ['1'] },
  ],
  decoy: ({ atMs, slots: [asked = '', receipt = ''] }) => ({
    acts: actsAt(atMs, { type: 'print', lines: labelled(label, asked) }),
    hears: [{ line: null, times: 1, acts: [{ type: 'print', afterMs: 0, lines: labelled('receipt', receipt) }] }],
  }),
  moves: () => ({
    readsScreen: true,
    before: [],
    sign: hasLabel(label),
    handle: [readLabel(label), ...typeForReceipt('"$code"')],
    arm: ['tmux set-option -wg monitor-activity on', noteOn('alert-activity')],
    armWindow: [],
  }),
};
