import type { Act, Check, EventKind, TaskEvent, WorkerOperation } from '../../env/index.ts';

/** What a rule of the prompt may name. */
export interface RuleWords {
  /** The word to type as an acknowledgement. */
  readonly ack: string;
}

/** A sentence or two of the prompt: how to tell that it happened, and what to do then. Ends with what the code is. */
export type Rule = (words: RuleWords) => string;

/** One event that is to happen, or one that never does. */
export interface EventDraft {
  readonly id: string;
  readonly worker: string;
  /** Virtual milliseconds, or null in the arm without events. */
  readonly atMs: number | null;
  /** As many secrets as the kind asks for, as templates. */
  readonly slots: readonly string[];
  readonly ack: string;
  /** What the worker exits with, where it does. */
  readonly status: number;
}

/** What a worker does beside the events, and how it answers. */
export type Conduct = Pick<WorkerOperation, 'acts' | 'starts' | 'hears'>;

/** A worker that is not watched, in which something of the kind happens. */
export interface DecoyDraft {
  readonly name: string;
  readonly atMs: number;
  /** As many secrets as the kind asks for, as templates. */
  readonly slots: readonly string[];
  readonly status: number;
}

/** How shell scripts notice and handle an event of the kind; `$w` is the window, `$s` its session. */
export interface Moves {
  /** Whether `sign` and `handle` read the window's text from `$screen`. */
  readonly readsScreen: boolean;
  /** Run for each window before a round of looking. */
  readonly before: readonly string[];
  /** A condition: it happened in this window. */
  readonly sign: string;
  /** Leaves the code in `$code`. */
  readonly handle: readonly string[];
  /** Arms hooks and monitors once; what they catch goes to `~/noticed`, a window's name a line. */
  readonly arm: readonly string[];
  /** Arms one window. */
  readonly armWindow: readonly string[];
}

/** One kind of event. A new one is a file that exports this and a line in the registry. */
export interface EventMaker {
  readonly kind: EventKind;
  /** It carries no text: it only chooses a window, so that a guess is right once in so many windows. */
  readonly choosesWindow: boolean;
  /** Secrets an event needs. */
  readonly slots: number;
  /** Watched workers print a heartbeat every second. */
  readonly heartbeat: boolean;
  readonly rules: readonly [Rule, Rule, Rule];
  /** Completes "the worker in the window X …" for the arm that says so. */
  readonly happens: string;
  readonly makeEvent: (draft: EventDraft) => TaskEvent;
  /** The code that is to be noted, as a template. */
  readonly codeOf: (slots: readonly string[]) => string;
  /** What a reaction shows beside the note. */
  readonly reactions: (draft: EventDraft) => readonly Omit<Check, 'role' | 'event' | 'required' | 'weight'>[];
  readonly decoy: (draft: DecoyDraft) => Conduct;
  readonly moves: (ack: string) => Moves;
}

/** What stands in every line of the kind `label: code`. */
export function labelled(label: string, slot: string): readonly string[] {
  return [`${label}: ${slot}`];
}

/** Acts that follow each other at one time. */
export function actsAt(afterMs: number, ...acts: readonly Bare[]): readonly Act[] {
  return acts.map((act) => ({ ...act, afterMs }) as Act);
}

type Bare = Act extends infer Each ? (Each extends Act ? Omit<Each, 'afterMs'> : never) : never;
