import type { Evidence } from '../evidence/index.ts';
import { type Delivery, describeEvent, type EventNotice } from './notice.ts';
import type { Observation } from './observation.ts';

/**
 * What the agent is told of events, as its delivery says. Who gets a notice in an observation has perceived the event;
 * what is pushed to listeners is no perception, since nobody knows whether any of them listens.
 */
export class News {
  readonly #delivery: Delivery;
  readonly #evidence: Evidence;
  readonly #listen: (notice: EventNotice) => void;
  /** Events that no observation has told of yet. */
  #open: readonly EventNotice[] = [];
  #pushed: readonly EventNotice[] = [];

  constructor(delivery: Delivery, evidence: Evidence, listen: (notice: EventNotice) => void) {
    this.#delivery = delivery;
    this.#evidence = evidence;
    this.#listen = listen;
  }

  /** What was pushed since `begin()`. */
  get pushed(): readonly EventNotice[] {
    return this.#pushed;
  }

  /** To be called before each action. */
  begin(): void {
    this.#pushed = [];
  }

  /** An event begins. */
  add(notice: EventNotice): void {
    switch (this.#delivery) {
      case 'poll':
        return;
      case 'notice':
        this.#open = [...this.#open, notice];
        return;
      case 'push':
        this.#pushed = [...this.#pushed, notice];
        this.#listen(notice);
    }
  }

  /** With notices, the observation says in one line each what happened since the last one and can be seen by now. */
  deliver(observation: Observation, nowMs: number): Observation {
    const told = this.#open.filter(({ event }) => this.#evidence.isVisible(event, nowMs));
    if (told.length === 0) return observation;
    this.#open = this.#open.filter((notice) => !told.includes(notice));
    for (const { event } of told) this.#evidence.notice(event, nowMs);
    const lines = told.map((notice) => `[${describeEvent(notice)}]\n`);
    const gap = observation.text === '' || observation.text.endsWith('\n') ? '' : '\n';
    return { ...observation, text: `${observation.text}${gap}${lines.join('')}` };
  }
}
