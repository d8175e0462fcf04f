import type { Env, Task } from '../../env/index.ts';
import type { Completion, ModelClient } from '../client/index.ts';
import type { Turn } from './turn.ts';

/** What a policy is given: an environment that was reset to a task, and the time it has. */
export interface Seat {
  readonly env: Env;
  readonly task: Task;
  /** What the agent is told. */
  readonly prompt: string;
  readonly sample: number;
  /** Aborts when the episode's real time is up or the run is interrupted. */
  readonly signal: AbortSignal;
  /**
   * Takes a call of the model in turn with those of other episodes, and measures both the wait and the call.
   * @default at once
   */
  readonly queueCall?: <Value>(call: () => Promise<Value>) => Promise<Value>;
  /** Told of what the model sends when it arrives, so that it counts whatever breaks later. @default nobody */
  readonly onCompletion?: (completion: Completion) => void;
}

/** What was played. The env knows the steps; this is what it cannot know. */
export interface Play {
  readonly turns: readonly Turn[];
  /** `context` where the model's context ended, `time` where the signal aborted between actions. */
  readonly truncatedBy: 'context' | 'time' | null;
}

export interface Sampling {
  /** 0 is greedy; null leaves it to the server. */
  readonly temperature: number | null;
  /** Tokens of one answer, at most. */
  readonly maxTokens: number;
}

/** What some loops need beside a client. */
export interface LoopOptions {
  /** The command of the program that plays in the `scaffold` loop. */
  readonly scaffold?: string | undefined;
  /** Real milliseconds for which that program may say nothing. @default 600000 */
  readonly scaffoldSilenceMs?: number | undefined;
}

/** How a model's answers become actions. One loop serves any number of episodes at a time. */
export interface Loop {
  readonly name: string;
  /** All beside its name that decides what it does, for the run's configuration; never a secret. */
  readonly config: Readonly<Record<string, string | number | null>>;
  /**
   * Proves before anything is played that the client can do what the loop needs, and that what the loop itself needs is
   * there. Throws an InputError where not.
   */
  prepare(client: ModelClient): Promise<void>;
  /**
   * Plays one episode; does not grade it. Format failures and truncation are data. Throws a BoundaryError (`model`)
   * where the client gave no answer, and the signal's reason where it aborted while the model was asked.
   */
  play(seat: Seat, client: ModelClient, sampling: Sampling): Promise<Play>;
}
