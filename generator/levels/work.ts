import type { SetupOperation } from '../../env/index.ts';
import type { RandomStream } from '../random/index.ts';
import type { LevelChoices } from './level.ts';

export interface WorkRequest {
  readonly choices: LevelChoices;
  /** The task's child stream for a purpose. */
  stream(purpose: string): RandomStream;
  /** Names for windows that nothing else in the task has; each call gives another. */
  nextName(): string;
}

/** The job in the foreground: gather the secrets of the first slots and write them to `$REPORT`. */
export interface Work {
  readonly prompt: string;
  /** How many secrets are to be gathered: slots 0 to `tokens` - 1. */
  readonly tokens: number;
  /** Slots used, those of decoys included. */
  readonly slots: number;
  readonly plan: readonly SetupOperation[];
  /** A script that does it. */
  readonly script: readonly string[];
  /** Seconds that the script sleeps. */
  readonly sleeps: number;
}

/** Who does the job. A new delegation is a file that exports this and a line in the registry. */
export interface Delegation {
  readonly make: (request: WorkRequest, paraphrase: number) => Work;
}
