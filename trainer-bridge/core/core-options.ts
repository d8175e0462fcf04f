import { availableParallelism } from 'node:os';
import type { Gym, Task } from '../../env/index.ts';
import type { Clock } from './clock.ts';
import type { Recorder } from './finished-episode.ts';
import type { CoreObserver } from './observer.ts';
import type { SplitCeiling } from './split-gate.ts';

export interface CoreLimits {
  /** Episodes that clients may have at once; scripts run beside them. @default 256 */
  readonly maxEpisodes: number;
  /** Worlds that are made at once for creates. @default twice the cores */
  readonly resetConcurrency: number;
  /** Scripts that run at once. @default twice the cores */
  readonly scriptConcurrency: number;
  /** Scripts that wait or run, over all clients. @default 8192 */
  readonly maxJobs: number;
  /** A client silent for this long loses its episodes, in milliseconds. @default 6000 */
  readonly leaseMs: number;
  /** An episode without a call for this long ends, in milliseconds. @default 900000 */
  readonly idleMs: number;
  /** Bytes of one message, told to clients; the transports enforce it. @default 33554432 */
  readonly maxMessageBytes: number;
}

export interface CoreOptions {
  /** Stays the caller's: the core closes its own episodes, not the gym. */
  readonly gym: Gym;
  /** The task of an id. Throws an InputError where there is none. */
  readonly findTask: (id: string) => Task;
  /** Versions of the package and of the task generator. */
  readonly versions: { readonly version: string; readonly generator: string };
  /** What is served at most. @default everything */
  readonly ceiling?: SplitCeiling | null;
  /** Makes grades durable before they are told. @default not at all */
  readonly record?: Recorder;
  /** @default monotonicClock */
  readonly clock?: Clock;
  /** @default silentObserver */
  readonly observer?: CoreObserver;
  readonly limits?: Partial<CoreLimits>;
}

const twiceTheCores = 2 * availableParallelism();

export const defaultLimits: CoreLimits = {
  maxEpisodes: 256,
  resetConcurrency: twiceTheCores,
  scriptConcurrency: twiceTheCores,
  maxJobs: 8_192,
  leaseMs: 6_000,
  idleMs: 900_000,
  maxMessageBytes: 32 * 1024 * 1024,
};
