import { actsAt, type EventMaker, labelled } from './kind.ts';
import { hasLabel, noteOn, readLabel, target } from './shell.ts';

const label = 'last words';

/** A worker exits with a code on its lips; its pane stays, dead, until it is respawned. */
export const death: EventMaker = {
  kind: 'death',
  choosesWindow: false,
  slots: 1,
  heartbeat: false,
  rules: [
    () =>
      'A worker may die: its pane is then dead, and the last line that it printed is "last words: " with a code of 8 hex digits. Read that code first, then respawn the pane (with its own command).',
    () =>
      'If one of these workers exits, its pane stays behind, dead. Take the code, 8 hex digits, from its line "last words: ", and after that restart the worker with respawn-pane.',
    () =>
      'Should a pane of theirs die, look at its screen before you respawn it, since a respawn clears it: the line "last words: " holds a code of 8 hex digits. Then do respawn it.',
  ],
  happens: 'dies',
  makeEvent: ({ id, worker, atMs, slots: [code = ''], status }) => ({
    kind: 'death',
    id,
    worker,
    atMs,
    deadlineMs: null,
    says: labelled(label, code),
    status,
  }),
  codeOf: ([code = '']) => code,
  reactions: ({ id, worker }) => [{ id: `${id}-respawn`, probe: { type: 'started', worker }, op: 'ge', expect: ['1'] }],
  decoy: ({ atMs, slots: [code = ''], status }) => ({
    acts: actsAt(atMs, { type: 'print', lines: ['', ...labelled(label, code)] }, { type: 'exit', status }),
  }),
  moves: () => ({
    readsScreen: true,
    before: [],
    sign: `${hasLabel(label)} && [ "$(tmux display-message -p -t ${target} '#{pane_dead}')" = 1 ]`,
    handle: [readLabel(label), `tmux respawn-pane -t ${target}`],
    arm: [noteOn('pane-died')],
    armWindow: [],
  }),
};
