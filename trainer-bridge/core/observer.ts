import type { Grade } from '../../env/index.ts';

/** What the core tells to whoever counts or logs. Calls are synchronous and must not throw. Times in milliseconds. */
export interface CoreObserver {
  created(episodes: number, ms: number): void;
  acted(ms: number): void;
  graded(outcome: Grade['outcome']): void;
  /** A caller was told to come back later. */
  busy(): void;
  /** A lease ended: a client fell silent, or an episode stood idle. */
  leaseEnded(cause: 'client' | 'idle', episodes: number): void;
  /** Machinery broke where no caller waits for the answer. */
  failed(what: string, error: unknown): void;
}

/** Listens to nothing. */
export const silentObserver: CoreObserver = {
  created: () => undefined,
  acted: () => undefined,
  graded: () => undefined,
  busy: () => undefined,
  leaseEnded: () => undefined,
  failed: () => undefined,
};

/** Passes everything on to each of several observers. */
export function joinObservers(observers: readonly CoreObserver[]): CoreObserver {
  return {
    created: (episodes, ms) => observers.forEach((each) => void each.created(episodes, ms)),
    acted: (ms) => observers.forEach((each) => void each.acted(ms)),
    graded: (outcome) => observers.forEach((each) => void each.graded(outcome)),
    busy: () => observers.forEach((each) => void each.busy()),
    leaseEnded: (cause, episodes) => observers.forEach((each) => void each.leaseEnded(cause, episodes)),
    failed: (what, error) => observers.forEach((each) => void each.failed(what, error)),
  };
}
