import type { Env } from '../../env/index.ts';
import { makeWorkUse, WorkQueue, type WorkUse } from './work-queue.ts';

/** Where the real time of episodes went, in one start of a run. Seconds are sums over episodes that ran side by side. */
export interface TimeUse {
  /** From the first reset to the last grade. */
  readonly wall_s: number;
  /** Of all episodes together; the parts below add up to it. */
  readonly episodes_s: number;
  readonly model_s: number;
  readonly model_queue_s: number;
  /** Resets and steps. */
  readonly tmux_s: number;
  readonly tmux_queue_s: number;
  readonly grading_s: number;
  /** The rest: parsing, records, our own work. */
  readonly other_s: number;
  /** Share of `wall_s` in which at least one call of the model was under way; null for scripted policies. */
  readonly model_busy_share: number | null;
  readonly tmux_busy_share: number;
  readonly max_model_calls: number;
  readonly max_tmux: number;
  /** Share of looks at the server's metrics that found it without a running request; null where it has none. */
  readonly gpu_idle_share: number | null;
}

/** What one episode used. */
export interface EpisodeUse {
  readonly model: WorkUse;
  readonly tmux: WorkUse;
  readonly grading: WorkUse;
}

/** The queues of a run, and what its episodes used so far. */
export class RunClock {
  readonly calls: WorkQueue;
  readonly tmux: WorkQueue;
  readonly #total = makeEpisodeUse();
  #episodesMs = 0;
  #begun = 0;

  constructor(limits: { readonly maxModelCalls: number; readonly maxTmux: number }) {
    this.calls = new WorkQueue(limits.maxModelCalls);
    this.tmux = new WorkQueue(limits.maxTmux);
  }

  /** Runs one episode, which is told how many began before it, and keeps what it used. */
  async measure<Value>(episode: (use: EpisodeUse, before: number) => Promise<Value>): Promise<Value> {
    const use = makeEpisodeUse();
    const before = this.#begun++;
    const began = performance.now();
    try {
      return await episode(use, before);
    } finally {
      this.#episodesMs += performance.now() - began;
      for (const part of ['model', 'tmux', 'grading'] as const) {
        this.#total[part].workMs += use[part].workMs;
        this.#total[part].waitMs += use[part].waitMs;
      }
    }
  }

  read(wallMs: number, asksModel: boolean, gpuIdleShare: number | null): TimeUse {
    const { model, tmux, grading } = this.#total;
    const tmuxQueueMs = tmux.waitMs + grading.waitMs;
    const known = model.workMs + model.waitMs + tmux.workMs + tmuxQueueMs + grading.workMs;
    return {
      wall_s: wallMs / 1_000,
      episodes_s: this.#episodesMs / 1_000,
      model_s: model.workMs / 1_000,
      model_queue_s: model.waitMs / 1_000,
      tmux_s: tmux.workMs / 1_000,
      tmux_queue_s: tmuxQueueMs / 1_000,
      grading_s: grading.workMs / 1_000,
      other_s: Math.max(0, this.#episodesMs - known) / 1_000,
      model_busy_share: asksModel ? Math.min(1, this.calls.busyMs / wallMs) : null,
      tmux_busy_share: Math.min(1, this.tmux.busyMs / wallMs),
      max_model_calls: this.calls.limit,
      max_tmux: this.tmux.limit,
      gpu_idle_share: gpuIdleShare,
    };
  }
}

function makeEpisodeUse(): EpisodeUse {
  return { model: makeWorkUse(), tmux: makeWorkUse(), grading: makeWorkUse() };
}

/**
 * The env with its work on tmux in the queue. A reset goes first: it is what gives the model its next call, and no more
 * episodes begin than are allowed at once. Then the oldest episode (`before` began earlier): were each turn to wait behind
 * all others, the episodes would move in waves, with the model idle in between.
 */
export function queueEnv(env: Env, queue: WorkQueue, { tmux, grading }: EpisodeUse, before: number): Env {
  const rank = 1 + before;
  return {
    reset: (options) => queue.run(() => env.reset(options), tmux),
    step: (action) => queue.run(() => env.step(action), tmux, rank),
    grade: (truncatedBy) => queue.run(() => env.grade(truncatedBy), grading, rank),
    summary: () => env.summary(),
    trace: () => env.trace(),
    close: () => env.close(),
    [Symbol.asyncDispose]: () => env.close(),
  };
}
