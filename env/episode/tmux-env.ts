import { InputError } from '../errors.ts';
import type { Grade } from '../grade/index.ts';
import { type Action, actionSchema } from '../task/index.ts';
import type { Env, EpisodeSummary, Reset, ResetOptions } from './env.ts';
import type { Episode } from './episode.ts';
import { noEpisode } from './no-episode.ts';
import type { Step } from './step.ts';
import type { TraceLine } from './trace.ts';

/** Begins an episode of a task; given by the gym. */
export type BeginEpisode = (
  options: Required<ResetOptions>,
) => Promise<{ readonly episode: Episode; readonly reset: Reset }>;

/** The Env over real tmux servers: one episode at a time, calls one after another. */
export class TmuxEnv implements Env {
  readonly #begin: BeginEpisode;
  readonly #onClose: () => void;
  #episode: Episode | null = null;
  #busy = false;
  #closed = false;

  constructor(begin: BeginEpisode, onClose: () => void) {
    this.#begin = begin;
    this.#onClose = onClose;
  }

  reset({
    task,
    sample = 0,
    delivery = 'poll',
    clock = 'virtual',
    shaping = true,
    onEvent = () => {},
  }: ResetOptions): Promise<Reset> {
    return this.#exclusively(async () => {
      await this.#episode?.close();
      this.#episode = null;
      if (this.#closed) throw noEpisode('the env was closed');
      const { episode, reset } = await this.#begin({ task, sample, delivery, clock, shaping, onEvent });
      if (this.#closed) {
        await episode.close();
        throw noEpisode('the env was closed during reset()');
      }
      this.#episode = episode;
      return reset;
    });
  }

  step(action: Action): Promise<Step> {
    return this.#exclusively(async () => {
      const episode = this.#current();
      if (episode.ended) throw noEpisode('it has ended');
      const parsed = actionSchema.safeParse(action);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new InputError({
          code: 'E_ACTION',
          what: 'Cannot take an action',
          where: issue?.path.join('.') ?? '',
          found: issue?.message ?? '',
        });
      }
      return episode.step(parsed.data);
    });
  }

  grade(truncatedBy?: 'context' | 'time'): Promise<Grade> {
    return this.#exclusively(() => this.#current().grade(truncatedBy));
  }

  summary(): EpisodeSummary {
    const summary = this.#current().summary();
    if (summary === null) throw noEpisode('it has not been graded');
    return summary;
  }

  trace(): readonly TraceLine[] {
    return this.#current().trace;
  }

  /** Waits for nothing: an action that runs is ended with its world. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#episode?.close();
    this.#onClose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #current(): Episode {
    if (this.#episode === null) throw noEpisode('reset() was not called');
    return this.#episode;
  }

  async #exclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#busy) {
      throw new InputError({ code: 'E_BUSY', what: 'Cannot call an env while another of its calls runs' });
    }
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
    }
  }
}
