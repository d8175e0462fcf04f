import type { TaskEvent } from '../task/index.ts';
import type { KindRule } from './kind.ts';
import { alerts, captured, firstOf, hooked, piped, readAlert } from './sight.ts';

/** A worker asks, and waits for the right answer. */
export const interrupt: KindRule<Extract<TaskEvent, { kind: 'interrupt' }>> = {
  stage: ({ asks, answer, receipt }) => ({
    background: [],
    acts: [{ type: 'print', afterMs: 0, lines: asks }],
    hears: [{ line: answer, times: 1, acts: [{ type: 'print', afterMs: 0, lines: receipt }] }],
  }),
  confirms: (entry, _, { pane }) => entry.type === 'consumed' && entry.pane === pane,
  visibleAfterMs: () => 0,
  shows: (entry, _, place, armed) =>
    firstOf(
      hooked(entry, place, [alerts.activity.hook]),
      readAlert(entry, place, alerts.activity, armed),
      captured(entry, place),
      piped(armed),
    ),
  proof: ({ asks, receipt }) => [...asks, ...receipt],
  reactions: ({ answer }) => [answer],
};
