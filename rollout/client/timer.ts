import { setTimeout } from 'node:timers/promises';

/** Real time, as a client waits for it; tests put their own in its place. */
export interface Timer {
  /** Milliseconds on a clock that only runs forward. */
  now(): number;
  /** Rejects with the signal's reason where that aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Aborts after `ms`. */
  timeout(ms: number): AbortSignal;
}

export const realTimer: Timer = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await setTimeout(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
  timeout: (ms) => AbortSignal.timeout(ms),
};
