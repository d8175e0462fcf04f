import type { Clock } from './clock.ts';

/** What has leases: the earliest end, and the ending. */
export interface LeaseHolder {
  /** On the clock's scale; null where nothing is leased. */
  nextDeadline(): number | null;
  /** Ends every lease whose deadline is at or before `now`. */
  expire(now: number): void;
}

/** A wake-up this much too late means that the process stood still, so renewals may lie unread in the sockets. */
const stallMs = 1_000;

/** Ends leases when they fall due, with one timer at a time, always set to the earliest deadline. */
export class LeaseWatch {
  readonly #clock: Clock;
  readonly #holder: LeaseHolder;
  #callOff: (() => void) | null = null;

  constructor(clock: Clock, holder: LeaseHolder) {
    this.#clock = clock;
    this.#holder = holder;
  }

  /** To be called when a lease begins; deadlines that move later need no call. */
  arm(): void {
    if (this.#callOff !== null) return;
    const deadline = this.#holder.nextDeadline();
    if (deadline !== null) this.#wakeAt(deadline);
  }

  stop(): void {
    this.#callOff?.();
    this.#callOff = null;
  }

  #wakeAt(due: number): void {
    this.#callOff = this.#clock.schedule(Math.max(0, due - this.#clock.now()), () => this.#wake(due));
  }

  #wake(due: number): void {
    this.#callOff = null;
    const now = this.#clock.now();
    if (now - due > stallMs) {
      this.#wakeAt(now + stallMs);
      return;
    }
    this.#holder.expire(now);
    this.arm();
  }
}
