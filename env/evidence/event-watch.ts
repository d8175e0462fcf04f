import { type Armed, type KindRule, type Place, ruleOf, type Sight } from '../events/index.ts';
import type { TaskEvent } from '../task/index.ts';
import type { LogEntry } from '../tmux/index.ts';
import type { EventOutcome, EventResult } from './event-result.ts';

/** How an episode ended, as far as it matters for an event that never happened. */
export type Ending = 'done' | 'cut';

interface Seen {
  readonly atMs: number;
  readonly by: string;
  readonly armed: boolean;
}

export interface WatchOptions {
  readonly place: Place;
  /** The secrets that prove it. */
  readonly tokens: readonly string[];
  /** Lines typed into a pane that are an attempt to react. */
  readonly reactions: readonly string[];
  /** A right reaction holds one of the secrets. */
  readonly needsProof: boolean;
}

/** Follows one event through the record: begun, happened, visible, seen, reacted to. Times are virtual milliseconds. */
export class EventWatch {
  readonly event: TaskEvent;
  readonly #place: Place;
  readonly #rule: KindRule<TaskEvent>;
  readonly #tokens: readonly string[];
  readonly #reactions: readonly string[];
  readonly #needsProof: boolean;
  #begun = false;
  #void = false;
  #firedMs: number | null = null;
  #seen: Seen | null = null;
  #reactedMs: number | null = null;
  #attemptedMs: number | null = null;
  #polls = 0;
  #counted = false;
  #wentThroughPipe = false;

  constructor(event: TaskEvent, { place, tokens, reactions, needsProof }: WatchOptions) {
    this.event = event;
    this.#place = place;
    this.#rule = ruleOf(event);
    this.#tokens = tokens;
    this.#reactions = reactions;
    this.#needsProof = needsProof;
  }

  get hasReacted(): boolean {
    return this.#reactedMs !== null;
  }

  get hasFired(): boolean {
    return this.#firedMs !== null;
  }

  get place(): Place {
    return this.#place;
  }

  /** The player has begun it. */
  begin(nowMs: number): void {
    this.#begun = true;
    if (this.#rule.confirms === null) this.#firedMs ??= nowMs;
  }

  /** Its worker's program was gone when it was due. */
  cancel(): void {
    this.#void = true;
  }

  /** One thing in the server's record, in order. */
  note(entry: LogEntry, nowMs: number, armed: Armed): void {
    const { confirms } = this.#rule;
    if (this.#begun && this.#firedMs === null) {
      this.#wentThroughPipe ||= armed.piped && entry.type === 'consumed' && entry.pane === this.#place.pane;
      if (confirms?.(entry, this.event, this.#place) === true) this.#firedMs = nowMs;
    }
    if (this.#seen !== null) return;
    if (entry.type === 'command') this.#counted = false;
    const piped = confirms === null ? armed.piped : this.#wentThroughPipe;
    const sight = this.#rule.shows(entry, this.event, this.#place, { ...armed, piped });
    if (sight !== null && this.#firedMs !== null && (sight.armed || this.isVisible(nowMs))) {
      this.see(sight, nowMs);
    } else if (!this.#counted && isLook(entry, this.#place)) {
      // One command reads several formats of one pane.
      this.#counted = true;
      this.#polls++;
    }
  }

  /** What the agent was shown at the end of an action. */
  observe(text: string, nowMs: number): void {
    if (this.isVisible(nowMs) && this.#tokens.some((token) => text.includes(token))) {
      this.see({ by: 'observation', armed: false }, nowMs);
    }
  }

  see({ by, armed }: Sight, nowMs: number): void {
    this.#seen ??= { atMs: nowMs, by, armed };
  }

  /** A right effect of an event that has happened. */
  react(nowMs: number): void {
    this.#reactedMs ??= nowMs;
  }

  attempt(nowMs: number): void {
    this.#attemptedMs ??= nowMs;
  }

  /** A line was typed into some pane. */
  hear(line: string, nowMs: number): void {
    if (this.#reactions.includes(line)) this.attempt(nowMs);
  }

  result(ending: Ending, tickOf: (ms: number) => number): EventResult {
    const { id, kind, deadlineMs } = this.event;
    const tick = (ms: number | null): number | null => (ms === null ? null : tickOf(ms));
    const deadline = this.#firedMs === null || deadlineMs === null ? null : this.#firedMs + deadlineMs;
    const seen = this.#seenOrImplied();
    return {
      id,
      kind,
      fired_tick: tick(this.#firedMs),
      visible_tick: tick(this.#visibleMs()),
      perceived_tick: tick(seen?.atMs ?? null),
      perceived_by: seen?.by ?? null,
      armed: seen?.armed ?? null,
      polls: this.#polls,
      reacted_tick: tick(this.#firedMs === null ? this.#attemptedMs : this.#reactedMs),
      deadline_tick: tick(deadline),
      outcome: this.#outcome(ending, seen, deadline),
    };
  }

  /** What was armed may show it before anything else can. */
  #visibleMs(): number | null {
    if (this.#firedMs === null) return null;
    const least = this.#firedMs + this.#rule.visibleAfterMs(this.event);
    return this.#seen?.armed === true ? Math.min(least, this.#seen.atMs) : least;
  }

  /** A right effect that needs the event's secrets proves that they were seen. */
  #seenOrImplied(): Seen | null {
    const seen = this.#seen;
    const reacted = this.#reactedMs;
    if (reacted === null || !this.#needsProof || (seen !== null && seen.atMs <= reacted)) return seen;
    return { atMs: reacted, by: 'consequence', armed: false };
  }

  #outcome(ending: Ending, seen: Seen | null, deadline: number | null): EventOutcome {
    if (this.#firedMs === null) {
      if (this.#void || this.#begun) return 'void';
      return ending === 'done' && this.event.atMs !== null ? 'left-before' : 'not-fired';
    }
    const reacted = this.#reactedMs;
    if (reacted === null) return seen === null ? 'never-perceived' : 'perceived-not-reacted';
    if (seen === null || seen.atMs > reacted) return 'reacted-blind';
    return deadline !== null && reacted > deadline ? 'late' : 'handled';
  }

  /** Whether it has happened and a right look would show it. */
  isVisible(nowMs: number): boolean {
    return this.#firedMs !== null && nowMs >= this.#firedMs + this.#rule.visibleAfterMs(this.event);
  }
}

/** A look at the worker that could have shown something, had it happened. */
function isLook(entry: LogEntry, place: Place): boolean {
  if (entry.type === 'ran') return entry.name === 'capture-pane' && entry.pane === place.pane;
  if (entry.type !== 'read') return false;
  return entry.pane === null ? entry.window === place.window : entry.pane === place.pane;
}
