import type { Grade } from '../grade/index.ts';
import type { Rung } from '../sandbox/index.ts';
import type { Action, RunKey, Task, TaskHash } from '../task/index.ts';
import type { Delivery, EventNotice } from './notice.ts';
import type { Observation } from './observation.ts';
import type { Step, TruncationReason } from './step.ts';
import type { TraceLine } from './trace.ts';

export interface ResetOptions {
  readonly task: Task;
  /** Which set of secrets; the members of a group share one. @default 0 */
  readonly sample?: number;
  /** @default 'poll' */
  readonly delivery?: Delivery;
  /** `wall`: a tick is a real second, and nothing repeats exactly. @default 'virtual' */
  readonly clock?: 'virtual' | 'wall';
  /** Whether perceiving an event earns partial credit of its own. @default true */
  readonly shaping?: boolean;
  /** Told of each event as it begins, where the delivery is `push`. Called in the middle of an action. */
  readonly onEvent?: (notice: EventNotice) => void;
}

export interface Reset {
  readonly observation: Observation;
  readonly info: { readonly prompt: string; readonly taskHash: TaskHash; readonly rung: Rung; readonly tick: 0 };
}

/** What is known of an episode once it ended. Times are real milliseconds. */
export interface EpisodeSummary {
  readonly grade: Grade;
  readonly steps: number;
  readonly ticks: number;
  readonly wallTicks: number;
  readonly reproducible: boolean;
  readonly truncatedBy: TruncationReason | null;
  readonly rung: Rung;
  readonly tmuxVersion: string;
  readonly observationHash: string;
  readonly observationHashRaw: string;
  readonly replacedBytes: number;
  readonly delivery: Delivery;
  readonly clock: 'virtual' | 'wall';
  /** Commands of tmux that the agent ran, by the server's record; null where the task keeps none. */
  readonly agentCommands: number | null;
  /** Actions that ended with another exit status than 0. */
  readonly failedCommands: number;
  readonly resetMs: number;
  readonly stepMs: number;
  /** Of `stepMs`, what went into bringing the world to rest. */
  readonly settleMs: number;
  readonly gradeMs: number;
}

/**
 * One environment in Gymnasium's sense: at most one episode at a time. Calls do not overlap; a second call while one
 * runs is refused with `E_BUSY`.
 */
export interface Env extends AsyncDisposable {
  /**
   * Begins an episode, ending the one before. Throws an InputError for a task that cannot be posed (`E_TASK`) and a
   * BoundaryError where the world could not be made.
   */
  reset(options: ResetOptions): Promise<Reset>;
  /**
   * Takes one action. Whatever the agent causes is data; where the machinery breaks, the step terminates with reward
   * null and a masked grade. Throws an InputError (`E_NO_EPISODE`) before reset and after the end.
   */
  step(action: Action): Promise<Step>;
  /** Ends the episode if it lives, and grades it. Idempotent. `context` marks one that the policy had to cut. */
  grade(truncatedBy?: 'context' | 'time'): Promise<Grade>;
  /** After grade(). Throws an InputError (`E_NO_EPISODE`) before. */
  summary(): EpisodeSummary;
  /** The trace so far, in order. */
  trace(): readonly TraceLine[];
  /** Ends everything that the episode started. Idempotent. */
  close(): Promise<void>;
}

export interface GymOptions {
  /** @default a new random key */
  readonly runKey?: RunKey;
  /** Generic worlds kept ready. @default 0 */
  readonly poolSize?: number;
  /** Finished worlds kept ready by prefetch(), at most. @default 64 */
  readonly prefetchLimit?: number;
  /** Use exactly this rung. @default the best that works here */
  readonly rung?: Rung;
  /** Refuse to start below this rung (`E_RUNG`), where no rung is asked for. @default 'uid' */
  readonly minRung?: Rung;
}

/**
 * Owns everything that its episodes need: the sandbox rung, the pool, the state folder. A start sweeps what dead gyms
 * of this user left behind and touches no living one's.
 */
export interface Gym extends AsyncDisposable {
  readonly rung: Rung;
  readonly tmuxVersion: string;
  readonly runKey: RunKey;
  /** Episodes that live now. */
  readonly live: number;
  createEnv(): Env;
  /** Makes finished worlds ready in the background, in order, as far as the limit allows; returns how many it took on. */
  prefetch(requests: readonly ResetOptions[]): number;
  /** Drains the pool and ends every episode. Idempotent. */
  close(): Promise<void>;
}
