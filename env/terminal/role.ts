import type { Act, Hear } from '../task/index.ts';
import type { PaneId } from '../tmux/index.ts';

/** A pane whose program the gym plays. Texts have their secrets filled in. */
export interface Role {
  readonly worker: string;
  readonly pane: PaneId;
  /** The start command; a program started with another is not played. */
  readonly argv: readonly string[];
  /** Pid of the program that lives when the agent first acts; null where it is dead by then. */
  readonly pid: number | null;
  /** What each later start prints half a virtual second after it is first seen settled. */
  readonly restart: readonly string[];
  /** What the first life does. */
  readonly acts: readonly Act[];
  /** What the second, third, … life does; the last stands for all after it. */
  readonly starts: readonly (readonly Act[])[];
  readonly hears: readonly Hear[];
}

/** An event as it is played. */
export interface Cue {
  readonly event: string;
  readonly worker: string;
  /** Virtual time; null where only an act fires it. */
  readonly atMs: number | null;
  /** What the worker's first life does until then. */
  readonly background: readonly Act[];
  /** What it does from then on. */
  readonly acts: readonly Act[];
  /** What it answers from then on, before its own answers. */
  readonly hears: readonly Hear[];
}

/** Something that the player did or heard. `event`: the event that it belongs to, or null. */
export type Note =
  | { readonly type: 'fired'; readonly event: string }
  /** An event was due, and its worker's program was gone. */
  | { readonly type: 'void'; readonly event: string }
  | { readonly type: 'printed'; readonly pane: PaneId; readonly bytes: number; readonly event: string | null }
  | { readonly type: 'ended'; readonly pane: PaneId; readonly event: string | null }
  | { readonly type: 'signalled'; readonly channel: string; readonly event: string | null }
  | { readonly type: 'started'; readonly worker: string; readonly pane: PaneId }
  | {
      readonly type: 'heard';
      readonly worker: string;
      readonly pane: PaneId;
      readonly line: string;
      readonly event: string | null;
    };
