import type { TaskEvent } from '../task/index.ts';
import type { KindRule } from './kind.ts';
import { captured, firstOf, hooked, piped, readDead } from './sight.ts';

/** A pane's program says its last words and ends with a status. */
export const death: KindRule<Extract<TaskEvent, { kind: 'death' }>> = {
  stage: ({ says, status }) => ({
    background: [],
    acts: [
      // tmux scrolls a dead pane by one line: what stands on its first line is out of sight.
      { type: 'print', afterMs: 0, lines: ['', ...says] },
      { type: 'exit', afterMs: 0, status },
    ],
    hears: [],
  }),
  confirms: (entry, _, { pane }) => entry.type === 'exited' && entry.pane === pane,
  visibleAfterMs: () => 0,
  shows: (entry, _, place, armed) =>
    firstOf(
      hooked(entry, place, ['pane-died', 'pane-exited']),
      readDead(entry, place),
      captured(entry, place),
      piped(armed),
    ),
  proof: ({ says }) => says,
  reactions: () => [],
};
