import type { TaskEvent } from '../task/index.ts';
import type { KindRule } from './kind.ts';
import { alerts, firstOf, hooked, piped, readAlert } from './sight.ts';

/** A pane's program rings. Nothing on the screen shows it, but a pipe gets the byte. */
export const bell: KindRule<Extract<TaskEvent, { kind: 'bell' }>> = {
  stage: ({ ack, receipt }) => ({
    background: [],
    acts: [{ type: 'bell', afterMs: 0 }],
    hears: [{ line: ack, times: 1, acts: [{ type: 'print', afterMs: 0, lines: receipt }] }],
  }),
  confirms: (entry, _, { pane }) => entry.type === 'consumed' && entry.pane === pane,
  visibleAfterMs: () => 0,
  shows: (entry, _, place, armed) =>
    firstOf(hooked(entry, place, [alerts.bell.hook]), readAlert(entry, place, alerts.bell, armed), piped(armed)),
  proof: ({ receipt }) => receipt,
  reactions: ({ ack }) => [ack],
};
