import { actsAt, type EventMaker, labelled } from './kind.ts';
import { hasLabel, readLabel } from './shell.ts';

const label = 'result';

/** The channel of tmux that a worker signals at the end of its job. */
function channelOf(worker: string): string {
  return `done-${worker}`;
}

/** A worker's job ends: it prints the result, exits, and signals its channel. */
export const completion: EventMaker = {
  kind: 'completion',
  choosesWindow: false,
  slots: 1,
  heartbeat: false,
  rules: [
    () =>
      'A worker may finish its job: it prints a line "result: " with 8 hex digits, exits, and signals the tmux wait-for channel done-NAME, with its window\'s name for NAME. The digits are the code. Leave its pane as it is.',
    () =>
      'If the job of one of these workers ends, its screen has a line "result: " whose 8 hex digits are the code; the program is over then, and the channel done-NAME of tmux wait-for is signalled, NAME being the window. Nothing needs to be restarted.',
    () =>
      'Their jobs may end during your shift. The worker in a window NAME then prints "result: XXXXXXXX", exits and signals the wait-for channel done-NAME; the 8 hex digits are the code. It is not to be respawned.',
  ],
  happens: 'finishes its job',
  makeEvent: ({ id, worker, atMs, slots: [code = ''] }) => ({
    kind: 'completion',
    id,
    worker,
    atMs,
    deadlineMs: null,
    says: labelled(label, code),
    channel: channelOf(worker),
    status: 0,
  }),
  codeOf: ([code = '']) => code,
  reactions: () => [],
  decoy: ({ name, atMs, slots: [code = ''] }) => ({
    acts: actsAt(
      atMs,
      { type: 'print', lines: ['', ...labelled(label, code)] },
      { type: 'exit', status: 0 },
      { type: 'signal', channel: channelOf(name) },
    ),
  }),
  moves: () => ({
    readsScreen: true,
    before: [],
    sign: hasLabel(label),
    handle: [readLabel(label)],
    arm: [],
    armWindow: ['(tmux wait-for "done-$w" && echo "$w" >> ~/noticed) > /dev/null 2>&1 &'],
  }),
};
