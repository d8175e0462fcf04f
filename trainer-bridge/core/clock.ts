/** Where the core takes its time from; injected, so that tests decide when a lease ends. */
export interface Clock {
  /** Monotonic milliseconds since an arbitrary origin; a change of the wall clock never shows. */
  now(): number;
  /** Runs `run` once, `delayMs` from now; the returned function calls it off. */
  schedule(delayMs: number, run: () => void): () => void;
}

/** The machine's monotonic clock. Its timers keep no process alive. */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
