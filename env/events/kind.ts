import type { Act, Hear, TaskEvent } from '../task/index.ts';
import type { LogEntry, PaneId, Subject, WindowId } from '../tmux/index.ts';

/** Where an event's worker is. */
export interface Place {
  readonly pane: PaneId;
  readonly window: WindowId;
}

/** What an event makes its worker do, beside what the worker does anyway. */
export interface Staging {
  /** From the start, until the event begins. */
  readonly background: readonly Act[];
  /** From the beginning of the event. */
  readonly acts: readonly Act[];
  readonly hears: readonly Hear[];
}

/** How the agent came to see an event: the command that showed it, or what it had armed. */
export interface Sight {
  readonly by: string;
  /** It came by something that was armed: a hook, a blocking wait, a monitor, a pipe. */
  readonly armed: boolean;
}

/** What the agent had armed by the time of an entry, as far as it matters for one event. */
export interface Armed {
  /** Full names of options and hooks that were set. */
  readonly options: ReadonlySet<string>;
  /** What the event prints went into a pipe; for an event that prints nothing: the worker's pane is piped. */
  readonly piped: boolean;
}

/** All that is particular to one kind of event. */
export interface KindRule<Event extends TaskEvent> {
  readonly stage: (event: Event) => Staging;
  /** Whether the record shows here that the event, which the gym has begun, happened. Null: at its beginning already. */
  readonly confirms: ((entry: LogEntry, event: Event, place: Place) => boolean) | null;
  /** How long after it happened a look can show it, in virtual milliseconds. */
  readonly visibleAfterMs: (event: Event) => number;
  /** Whether an entry of the record is a look that shows the event. */
  readonly shows: (entry: LogEntry, event: Event, place: Place, armed: Armed) => Sight | null;
  /** Templates whose secrets exist only in the event or in its receipt. */
  readonly proof: (event: Event) => readonly string[];
  /** Lines typed into a pane that are an attempt to react. */
  readonly reactions: (event: Event) => readonly string[];
}

/** Whether an entry is about the worker: its pane, or its window where the record names no pane. */
export function isAbout(subject: Subject, place: Place): boolean {
  return subject.pane === null ? subject.window === place.window : subject.pane === place.pane;
}
