import type { RunKey, Task } from '../../env/index.ts';
import type { Play, Seat } from '../loop/index.ts';

/** One episode to be played: a task and the set of secrets it is posed with. */
export interface Assignment {
  readonly task: Task;
  readonly sample: number;
}

/** Something that can play episodes, as the user named it. Holds nothing until it is opened. */
export interface Policy {
  /** As typed, such as `oracle` or `script:solve.sh`; part of each episode's identity. */
  readonly name: string;
  /** All that decides what it does and is known before it opens, for the run's configuration; never a secret. */
  readonly config: Readonly<Record<string, string | number | null>>;
  /** Facts worth keeping that may change between two starts of one run, such as an address. */
  readonly context: Readonly<Record<string, string | null>>;
  /** The model that the user named, null where none or the server is to say it. */
  readonly model: string | null;
  /**
   * Makes ready to play these. Throws an InputError for what it cannot play and a BoundaryError where its machinery
   * does not start, and leaves nothing behind then.
   */
  open(options: OpenOptions): Promise<Player>;
}

export interface OpenOptions {
  readonly assignments: readonly Assignment[];
  /** Where a model server writes its log. */
  readonly logFile: string;
  /** Ends the opening. */
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** An opened policy; plays any number of episodes at a time. */
export interface Player extends AsyncDisposable {
  /** The model that is sampled; null for scripted policies. */
  readonly model: string | null;
  /** Where its server answers, ending in `/v1`; absent where there is none. Kept in memory only. */
  readonly baseUrl?: string;
  /** The run key under which its actions make sense; absent where any will do. */
  readonly runKey?: RunKey;
  /**
   * Plays one episode to its end or until it has nothing more to do; the caller grades it. What the agent does is
   * data. Throws a BoundaryError where its own machinery fails, and the seat's abort reason where that ended it.
   */
  play(seat: Seat): Promise<Play>;
  /** Whether its machinery still answers; asked after an episode failed on it. */
  isReachable(): Promise<boolean>;
}
