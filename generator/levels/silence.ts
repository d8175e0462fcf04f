import { type EventMaker, labelled } from './kind.ts';
import { target, typeForReceipt } from './shell.ts';

/** Virtual milliseconds between two heartbeats. */
export const heartbeatMs = 1_000;
/** What a worker with a heartbeat prints. */
export const heartbeatLines: readonly string[] = ['heartbeat {{count}}'];

/** A worker that printed every second stops. It carries no text: acknowledged in the right window, it gives a receipt. */
export const silence: EventMaker = {
  kind: 'silence',
  choosesWindow: true,
  slots: 1,
  heartbeat: true,
  rules: [
    ({ ack }) =>
      `A worker with a heartbeat prints a line "heartbeat" every second; once it has printed nothing for 3 seconds it has gone silent. Then type ${ack} and Enter into that window, exactly once; a second later it shows a line "receipt: " with 8 hex digits, which are the code. A worker that is not silent would answer with a false receipt.`,
    ({ ack }) =>
      `Some workers print "heartbeat" lines, one a second. If the heartbeats of one stop for 3 seconds or more, send it the line ${ack}, one time only: about a second later its screen has "receipt: " and 8 hex digits, the code. The receipts of workers whose heart still beats are worthless.`,
    ({ ack }) =>
      `Heartbeats (a line "heartbeat" a second) must not stop. When a window that had them shows no new one for 3 seconds, acknowledge it there, once: ${ack}, then Enter. The 8 hex digits of the "receipt: " line that it prints a second later are the code; acknowledging any other window yields a wrong one.`,
  ],
  happens: 'goes silent',
  makeEvent: ({ id, worker, atMs, slots: [receipt = ''], ack }) => ({
    kind: 'silence',
    id,
    worker,
    atMs,
    deadlineMs: null,
    everyMs: heartbeatMs,
    beat: heartbeatLines,
    ack,
    receipt: labelled('receipt', receipt),
  }),
  codeOf: ([receipt = '']) => receipt,
  reactions: ({ id, worker, ack }) => [
    { id: `${id}-ack`, probe: { type: 'heard', worker, line: ack }, op: 'eq', expect: ['1'] },
  ],
  decoy: ({ atMs, slots: [receipt = ''] }) => ({
    acts: [
      {
        type: 'beat',
        afterMs: heartbeatMs,
        everyMs: heartbeatMs,
        times: Math.floor(atMs / heartbeatMs),
        lines: heartbeatLines,
      },
    ],
    hears: [{ line: null, times: 1, acts: [{ type: 'print', afterMs: 0, lines: labelled('receipt', receipt) }] }],
  }),
  moves: (ack) => ({
    readsScreen: true,
    before: [`tmux capture-pane -p -t ${target} | grep . | tail -n 1 > ~/"last.$w"`],
    sign: '[[ $(grep . <<< "$screen" | tail -n 1) == "$(grep -s heartbeat ~/"last.$w")" ]]',
    handle: typeForReceipt(ack),
    arm: [`tmux set-hook -g alert-silence 'run-shell -b "echo #{window_name} >> ~/noticed"'`],
    armWindow: [`tmux set-option -w -t ${target} monitor-silence 2`],
  }),
};
