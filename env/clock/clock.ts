import type { Exit, Launched, Sandbox } from '../sandbox/index.ts';

/** One tick of the virtual clock, in virtual milliseconds. */
export const tickMs = 1_000;

/** What a clock drives besides sleepers: whatever the gym itself does in the world. */
export interface Stage {
  /** Reads what happened, and takes on what is new. To be called while the world is settled. */
  discover(nowMs: number): void;
  /** When the next thing is to be done, in virtual milliseconds, or null. */
  readonly nextDueMs: number | null;
  /** Does what is due; returns how many things it did. */
  play(nowMs: number): number;
  /** Whether the world has taken in everything that was done. */
  readonly isConsumed: boolean;
}

export interface ClockOptions {
  readonly sandbox: Sandbox;
  readonly serverPid: number;
  /** When the server was started, on the clock of `performance.now()`. */
  readonly serverSince: number;
  readonly stage: Stage | null;
}

export interface ActionLimits {
  /** Virtual time at which the action is ended. */
  readonly untilMs: number;
  /** Real time at which it is ended, on the clock of `performance.now()`. */
  readonly wallDeadline: number;
}

export type ActionEnd =
  | { readonly type: 'exited'; readonly exit: Exit }
  /** Ended by the gym: the tick budget of an action, or the wall limit of the episode. */
  | { readonly type: 'cut'; readonly by: 'ticks' | 'time'; readonly output: Buffer; readonly cutBytes: number };

/** The clock of one episode. */
export interface Clock {
  /** Milliseconds of the episode's own time. */
  readonly nowMs: number;
  readonly tick: number;
  /** Ticks so far that followed real time. */
  readonly wallTicks: number;
  /** False once the number of ticks, or what was seen, depends on the machine. */
  readonly reproducible: boolean;
  /** Real milliseconds that were spent on bringing the world to rest. */
  readonly settleMs: number;
  /** Lets a started command run to its end or its limits. Rejects with LauncherGone where the sandbox ends. */
  runAction(launched: Launched, limits: ActionLimits): Promise<ActionEnd>;
  /** Settles after an action that began at `startMs`, and does what is due by then. */
  finishAction(startMs: number): Promise<void>;
  /** An explicit wait of whole ticks. */
  wait(ticks: number, limits: ActionLimits): Promise<void>;
}
