import type { Gym } from '../../env/index.ts';
import type { PlannedEpisode } from './plan.ts';

export interface ScheduleOptions {
  readonly gym: Gym;
  readonly episodes: readonly PlannedEpisode[];
  /** Episodes at a time. */
  readonly concurrency: number;
  /** Stops handing out episodes. */
  readonly signal: AbortSignal;
  /** Aborted at the first throw, so that the others can end early. */
  readonly stop: AbortController;
  /** Asked before each episode; false hands out no more. */
  readonly mayBegin: () => boolean;
  /** Plays one to its record. A throw stops the schedule. */
  readonly run: (episode: PlannedEpisode) => Promise<void>;
}

/**
 * Runs all episodes, in their order, some at a time, with the worlds of the next ones made meanwhile. Returns when all
 * that began have ended; throws the first error then.
 */
export async function runSchedule(options: ScheduleOptions): Promise<void> {
  const { gym, episodes, concurrency, signal, stop, run } = options;
  let next = 0;
  let announced = 0;

  const announce = () => {
    announced = Math.max(announced, next);
    const window = episodes.slice(announced, next + concurrency);
    announced += gym.prefetch(window.map(({ task, sample }) => ({ task, sample })));
  };
  const work = async () => {
    while (!stop.signal.aborted && !signal.aborted && options.mayBegin()) {
      const episode = episodes[next];
      if (episode === undefined) return;
      next += 1;
      announce();
      try {
        await run(episode);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    }
  };
  await Promise.allSettled(Array.from({ length: Math.min(concurrency, episodes.length) }, work));
  signal.throwIfAborted();
  stop.signal.throwIfAborted();
}
