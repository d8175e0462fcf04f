import { isDeepStrictEqual } from 'node:util';
import { type Action, type Env, type Grade, InputError, type Step, type Task, type TaskHash } from '../../env/index.ts';
import type { Clock } from './clock.ts';
import type { EventFeed } from './event-feed.ts';
import type { FinishedEpisode, Recorder } from './finished-episode.ts';
import { makeMaskedGrade } from './masked-grade.ts';
import type { CoreObserver } from './observer.ts';
import { BusyError } from './refusal.ts';
import { notPushed, released } from './refusals.ts';
import type { EventSubscriber } from './service.ts';

export interface EpisodeFacts {
  readonly id: string;
  readonly task: Task;
  readonly taskHash: TaskHash;
  readonly sample: number;
}

/** The world of an episode, and what happens there as it is pushed; null for another delivery. */
export interface EpisodeWorld {
  readonly env: Env;
  readonly events: EventFeed | null;
}

/** What an episode needs from its surroundings. */
export interface EpisodeHost {
  readonly clock: Clock;
  readonly observer: CoreObserver;
  readonly record: Recorder;
  /** Called once, when the episode's world is gone. */
  readonly closed: (episode: ServedEpisode) => void;
}

/**
 * One episode of one client. Actions are numbered from 1: the next number acts, the last number again returns what it
 * returned, anything else is refused. The world is closed as soon as the grade is durable; step and grade stay for
 * repeats until the episode is released.
 */
export class ServedEpisode {
  readonly facts: EpisodeFacts;
  /** When the client last called for this episode; kept by the owner of the lease. */
  lastUsed: number;
  readonly #env: Env;
  readonly #events: EventFeed | null;
  readonly #host: EpisodeHost;
  #sequence = 0;
  #last: { readonly action: Action; readonly step: Promise<Step> } | null = null;
  #stepping = false;
  #final: Grade | null = null;
  #grading: Promise<Grade> | null = null;
  #settling: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  #endedBy: InputError | null = null;

  constructor(facts: EpisodeFacts, world: EpisodeWorld, host: EpisodeHost) {
    this.facts = facts;
    this.#env = world.env;
    this.#events = world.events;
    this.#host = host;
    this.lastUsed = host.clock.now();
  }

  /** Whether an action or the grading runs now. */
  get working(): boolean {
    return this.#stepping || (this.#grading !== null && this.#final === null);
  }

  act(sequence: number, action: Action): Promise<Step> {
    if (this.#last !== null && sequence === this.#sequence) return this.#repeat(this.#last, action);
    if (sequence !== this.#sequence + 1) throw outOfOrder(this.facts.id, this.#sequence, sequence);
    if (this.#stepping) throw stillActing(this.#sequence);
    if (this.#final !== null || this.#grading !== null) throw hasEnded(this.facts.id);
    const step = this.#run(action);
    this.#sequence = sequence;
    this.#last = { action, step };
    return this.#answer(step);
  }

  /** Until the episode is graded or released; rejects with the reason of another end, or `E_DELIVERY`. */
  follow(subscriber: EventSubscriber): Promise<void> {
    if (this.#events === null) throw notPushed(this.facts.id);
    return this.#events.follow(subscriber);
  }

  /** Waits for a running action, then ends and grades. Where the grading breaks, the grade is masked. */
  grade(truncatedBy: 'context' | 'time' | null): Promise<Grade> {
    this.#grading ??= this.#runGrade(truncatedBy).catch((error: unknown) => {
      this.#grading = null;
      throw error;
    });
    return this.#grading;
  }

  /** As its client wants it: calls that still run are refused, who follows the events is not. */
  release(): Promise<void> {
    this.#events?.end(null);
    return this.close(released(this.facts.id));
  }

  /** Ends the world, graded or not. Calls that still run are refused with `reason`. Idempotent; never rejects. */
  close(reason: InputError | null = null): Promise<void> {
    this.#endedBy ??= reason;
    this.#events?.end(reason);
    this.#closing ??= this.#closeWorld();
    return this.#closing;
  }

  async #closeWorld(): Promise<void> {
    try {
      await this.#env.close();
    } catch (error) {
      this.#host.observer.failed('close', error);
    }
    this.#host.closed(this);
  }

  #repeat(last: { readonly action: Action; readonly step: Promise<Step> }, action: Action): Promise<Step> {
    if (!isDeepStrictEqual(last.action, action)) throw otherAction(this.#sequence);
    return this.#answer(last.step);
  }

  async #run(action: Action): Promise<Step> {
    const { clock, observer } = this.#host;
    const begin = clock.now();
    this.#stepping = true;
    try {
      return await this.#env.step(action);
    } finally {
      this.#stepping = false;
      this.lastUsed = clock.now();
      observer.acted(this.lastUsed - begin);
    }
  }

  async #answer(pending: Promise<Step>): Promise<Step> {
    try {
      const step = await pending;
      if (this.#endedBy === null && step.info.grade !== null) await this.#settle(step.info.grade, true);
      if (this.#endedBy === null) return step;
    } catch (error) {
      if (this.#endedBy === null) throw error;
    }
    throw this.#endedBy;
  }

  async #runGrade(truncatedBy: 'context' | 'time' | null): Promise<Grade> {
    if (this.#last !== null) await this.#last.step.catch(() => undefined); // its own caller hears of it
    const known = this.#final !== null;
    const { grade, sound } = known ? { grade: this.#final as Grade, sound: true } : await this.#askGrade(truncatedBy);
    if (this.#endedBy !== null) throw this.#endedBy;
    await this.#settle(grade, sound);
    return grade;
  }

  async #askGrade(truncatedBy: 'context' | 'time' | null): Promise<{ grade: Grade; sound: boolean }> {
    try {
      const grade = await (truncatedBy === null ? this.#env.grade() : this.#env.grade(truncatedBy));
      return { grade, sound: true };
    } catch (error) {
      this.#host.observer.failed('grade', error);
      return { grade: makeMaskedGrade(error), sound: false };
    }
  }

  /** Once the record is durable; a failure to record is the caller's to see, and the next repeat tries again. */
  #settle(grade: Grade, sound: boolean): Promise<void> {
    this.#settling ??= this.#conclude(grade, sound).catch((error: unknown) => {
      this.#settling = null;
      throw error;
    });
    return this.#settling;
  }

  async #conclude(grade: Grade, sound: boolean): Promise<void> {
    const finished: FinishedEpisode = {
      ...this.facts,
      attempt: 0,
      grade,
      summary: sound ? this.#env.summary() : null,
      trace: this.#env.trace(),
    };
    await this.#host.record(finished);
    this.#final = grade;
    this.#host.observer.graded(grade.outcome);
    void this.close();
  }
}

function outOfOrder(episode: string, last: number, found: number): InputError {
  const expected = last === 0 ? 'sequence 1' : `sequence ${last + 1}, or ${last} again`;
  return new InputError({
    code: 'E_SEQUENCE',
    what: 'Cannot act out of order',
    where: `episode ${episode}`,
    expected,
    found: `sequence ${found}`,
  });
}

function otherAction(sequence: number): InputError {
  return new InputError({
    code: 'E_SEQUENCE',
    what: 'Cannot repeat a sequence number with another action',
    where: `sequence ${sequence}`,
    expected: 'the same action',
    found: 'another one',
    hint: 'a repeat returns the stored step; a new action takes the next number',
  });
}

function stillActing(sequence: number): BusyError {
  return new BusyError({ code: 'E_BUSY', what: `Cannot act while action ${sequence} of this episode still runs` }, 20);
}

function hasEnded(episode: string): InputError {
  return new InputError({
    code: 'E_ENDED',
    what: 'Cannot act in an episode that has ended',
    where: `episode ${episode}`,
    hint: 'ask for its grade, or create a new one',
  });
}
