import type { EventAxes } from '../../env/index.ts';

/** Everything about an event task that its level decides. An id may override each one (`~chatter=2`). */
export interface LevelChoices {
  /** Watched windows to which nothing happens; kinds that only choose a window have at least three. */
  readonly bystanders: number;
  /** Seconds between two lines of a watched worker while all is well; 0 for quiet ones. */
  readonly chatter: number;
  /** Windows that are not watched, in which such things happen too. */
  readonly decoys: number;
  /** Who does the job: the agent, a helper on request, or helpers of a helper. */
  readonly delegation: EventAxes['delegation'];
  /** D0 to D3: where the job's tokens are, if the agent gathers them itself. */
  readonly depth: number;
  /** When the first event comes: within seconds, or after a while. */
  readonly length: 'short' | 'long';
  /** The prompt lists the watched windows, or names a session of which every window is watched. */
  readonly naming: 'list' | 'session';
  /** Least number of seconds between two events. */
  readonly spacing: number;
  /** Tokens that the job asks for. */
  readonly tokens: number;
}

/** A named, frozen choice. */
export interface Level {
  readonly level: number;
  /** What makes it harder than the one before, in a word. */
  readonly name: string;
  readonly choices: LevelChoices;
}
