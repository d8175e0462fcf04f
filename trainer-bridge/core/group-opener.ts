import { randomUUID } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import {
  type Env,
  type EventNotice,
  type Gym,
  InputError,
  type Reset,
  type ResetOptions,
  type Task,
} from '../../env/index.ts';
import { EventFeed } from './event-feed.ts';
import { BusyError, isExhaustion } from './refusal.ts';
import { type EpisodeHost, type EpisodeWorld, ServedEpisode } from './served-episode.ts';
import type { EpisodeSetting, EpisodeStart } from './service.ts';

export interface OpenedEpisode {
  readonly episode: ServedEpisode;
  readonly start: EpisodeStart;
}

interface PosedWorld extends EpisodeWorld {
  readonly reset: Reset;
}

export interface GroupRequest {
  readonly task: Task;
  readonly sample: number;
  readonly size: number;
  readonly setting: EpisodeSetting;
}

/** Makes the episodes of a group: one task, one sample, so one start state. */
export class GroupOpener {
  readonly #gym: Gym;
  readonly #host: EpisodeHost;
  readonly #limit: LimitFunction;

  constructor(gym: Gym, host: EpisodeHost, concurrency: number) {
    this.#gym = gym;
    this.#host = host;
    this.#limit = pLimit(concurrency);
  }

  /** All of the group or none: where one world cannot be made, the others are closed and its error is thrown. */
  async open({ task, sample, size, setting }: GroupRequest): Promise<readonly OpenedEpisode[]> {
    const reset = { task, sample, ...setting };
    const members = Array.from({ length: size }, () => this.#limit(() => this.#openOne(reset)));
    const ends = await Promise.allSettled(members);
    const opened = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure === undefined) return opened.map((each) => this.#serve(each, task, sample));
    await Promise.all(opened.map(({ env }) => this.#discard(env)));
    throw isExhaustion(failure.reason) ? outOfResources(failure.reason) : failure.reason;
  }

  async #openOne(options: ResetOptions): Promise<PosedWorld> {
    const env = this.#gym.createEnv();
    const events = options.delivery === 'push' ? new EventFeed() : null;
    const heard = events === null ? {} : { onEvent: (notice: EventNotice) => events.add(notice) };
    try {
      return { env, events, reset: await env.reset({ ...options, ...heard }) };
    } catch (error) {
      await this.#discard(env);
      throw error instanceof InputError ? cannotPose(options.task, error) : error;
    }
  }

  #serve({ reset, ...world }: PosedWorld, task: Task, sample: number): OpenedEpisode {
    const { prompt, taskHash } = reset.info;
    const id = randomUUID();
    const episode = new ServedEpisode({ id, task, taskHash, sample }, world, this.#host);
    const { observation } = reset;
    return { episode, start: { id, task: task.id, taskHash, prompt, observation, maxSteps: task.limits.steps } };
  }

  async #discard(env: Env): Promise<void> {
    try {
      await env.close();
    } catch (error) {
      this.#host.observer.failed('close', error);
    }
  }
}

function cannotPose(task: Task, cause: InputError): InputError {
  return new InputError({
    ...cause.facts,
    code: 'E_TASK',
    what: `Cannot pose task "${task.id}": ${cause.facts.what}`,
    cause,
  });
}

function outOfResources(cause: unknown): BusyError {
  const what = 'Cannot make a world now as the machine is out of descriptors, processes, memory or space';
  const found = cause instanceof Error ? cause.message : String(cause);
  return new BusyError({ code: 'E_BUSY', what, found, cause }, 1_000);
}
