import type { TaskEvent } from '../task/index.ts';
import type { KindRule } from './kind.ts';
import { alerts, captured, firstOf, hooked, readAlert } from './sight.ts';

/** A pane's program, which printed again and again, stops. */
export const silence: KindRule<Extract<TaskEvent, { kind: 'silence' }>> = {
  stage: ({ everyMs, beat, ack, receipt }) => ({
    background: [{ type: 'beat', afterMs: everyMs, everyMs, lines: beat }],
    acts: [],
    hears: [{ line: ack, times: 1, acts: [{ type: 'print', afterMs: 0, lines: receipt }] }],
  }),
  confirms: null,
  // The first beat that does not come is the first sign.
  visibleAfterMs: ({ everyMs }) => everyMs,
  shows: (entry, _, place, armed) =>
    firstOf(
      hooked(entry, place, [alerts.silence.hook]),
      readAlert(entry, place, alerts.silence, armed),
      captured(entry, place),
      // Who follows the pipe misses the beat when it does not come, and not before.
      armed.piped ? { by: 'pipe-pane', armed: false } : null,
    ),
  proof: ({ receipt }) => receipt,
  reactions: ({ ack }) => [ack],
};
