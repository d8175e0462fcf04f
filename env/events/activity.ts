import type { TaskEvent } from '../task/index.ts';
import type { KindRule } from './kind.ts';
import { alerts, captured, firstOf, hooked, piped, readAlert } from './sight.ts';

/** A pane's program prints. */
export const activity: KindRule<Extract<TaskEvent, { kind: 'activity' }>> = {
  stage: ({ says }) => ({ background: [], acts: [{ type: 'print', afterMs: 0, lines: says }], hears: [] }),
  confirms: (entry, _, { pane }) => entry.type === 'consumed' && entry.pane === pane,
  visibleAfterMs: () => 0,
  shows: (entry, _, place, armed) =>
    firstOf(
      hooked(entry, place, [alerts.activity.hook]),
      readAlert(entry, place, alerts.activity, armed),
      captured(entry, place),
      piped(armed),
    ),
  proof: ({ says }) => says,
  reactions: () => [],
};
