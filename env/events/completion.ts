import type { Act, TaskEvent } from '../task/index.ts';
import type { LogEntry } from '../tmux/index.ts';
import type { KindRule, Sight } from './kind.ts';
import { alerts, captured, firstOf, hooked, piped, readAlert, readDead } from './sight.ts';

type Completion = Extract<TaskEvent, { kind: 'completion' }>;

/** A job ends: it prints its result, signals its channel, exits. */
export const completion: KindRule<Completion> = {
  stage: ({ says, channel, status }) => ({ background: [], acts: actsOf(says, channel, status), hears: [] }),
  confirms: (entry, { says, channel }, { pane }) => {
    if (says.length > 0) return entry.type === 'consumed' && entry.pane === pane;
    if (channel !== null) return entry.type === 'signalled' && entry.channel === channel;
    return entry.type === 'exited' && entry.pane === pane;
  },
  visibleAfterMs: () => 0,
  shows: (entry, event, place, armed) =>
    firstOf(
      hooked(entry, place, ['pane-died', 'pane-exited', alerts.activity.hook]),
      waitedFor(entry, event),
      readDead(entry, place),
      readAlert(entry, place, alerts.activity, armed),
      captured(entry, place),
      piped(armed),
    ),
  proof: ({ says }) => says,
  reactions: () => [],
};

function actsOf(says: readonly string[], channel: string | null, status: number | null): readonly Act[] {
  const acts: Act[] = [];
  if (says.length > 0) acts.push({ type: 'print', afterMs: 0, lines: status === null ? says : ['', ...says] });
  if (status !== null) acts.push({ type: 'exit', afterMs: 0, status });
  // Last, so that whoever waits for it finds the rest done.
  if (channel !== null) acts.push({ type: 'signal', afterMs: 0, channel });
  return acts;
}

function waitedFor(entry: LogEntry, { channel }: Completion): Sight | null {
  if (entry.type === 'signalled' && entry.channel === channel && entry.waited) return { by: 'wait-for', armed: true };
  if (entry.type === 'woken' && entry.channel === channel) return { by: 'wait-for', armed: false };
  return null;
}
