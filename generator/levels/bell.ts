import { actsAt, type EventMaker, labelled } from './kind.ts';
import { noteOn, target, typeForReceipt } from './shell.ts';

/** A worker rings. It carries no text: acknowledged in the right window, it gives a receipt. */
export const bell: EventMaker = {
  kind: 'bell',
  choosesWindow: true,
  slots: 1,
  heartbeat: false,
  rules: [
    ({ ack }) =>
      `A worker may ring the bell of its window; nothing on its screen shows that, but tmux notes it. Then type ${ack} and Enter into that window, exactly once; a second later it shows a line "receipt: " with 8 hex digits, which are the code. A worker that has not rung would answer with a false receipt.`,
    ({ ack }) =>
      `If one of these workers rings its bell (an alert of tmux, not a text), send it the line ${ack}, one time only: about a second later its screen has "receipt: " and 8 hex digits, the code. The receipts of workers that did not ring are worthless.`,
    ({ ack }) =>
      `Bells may ring in these windows, visible only as tmux's bell alert of the window. Acknowledge each where it rang, once: ${ack}, then Enter. The 8 hex digits of the "receipt: " line that it prints a second later are the code; acknowledging any other window yields a wrong one.`,
  ],
  happens: 'rings its bell',
  makeEvent: ({ id, worker, atMs, slots: [receipt = ''], ack }) => ({
    kind: 'bell',
    id,
    worker,
    atMs,
    deadlineMs: null,
    ack,
    receipt: labelled('receipt', receipt),
  }),
  codeOf: ([receipt = '']) => receipt,
  reactions: ({ id, worker, ack }) => [
    { id: `${id}-ack`, probe: { type: 'heard', worker, line: ack }, op: 'eq', expect: ['1'] },
  ],
  decoy: ({ atMs, slots: [receipt = ''] }) => ({
    acts: actsAt(atMs, { type: 'bell' }),
    hears: [{ line: null, times: 1, acts: [{ type: 'print', afterMs: 0, lines: labelled('receipt', receipt) }] }],
  }),
  moves: (ack) => ({
    readsScreen: false,
    before: [],
    sign: `[ "$(tmux display-message -p -t ${target} '#{window_bell_flag}')" = 1 ]`,
    handle: typeForReceipt(ack),
    arm: [noteOn('alert-bell')],
    armWindow: [],
  }),
};
