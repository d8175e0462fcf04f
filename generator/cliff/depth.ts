import type { SetupOperation, Solution } from '../../env/index.ts';
import type { RandomStream } from '../random/index.ts';

/** What a depth gets to make one task from. */
export interface DepthRequest {
  /** How many tokens to hide, 1 to 64. */
  readonly ops: number;
  /** The task's child stream for a purpose; two purposes never share draws. */
  stream(purpose: string): RandomStream;
}

/** A depth's part of a task. The tokens to report are always slots 0 to N - 1. */
export interface DepthTask {
  /** How the prompt names the N places, in the order of the slots. */
  readonly places: readonly string[];
  /** Slots used, those of decoys included. */
  readonly slots: number;
  readonly plan: readonly SetupOperation[];
  /** The first one is the demonstration that models are trained on: one script of short, regular lines. */
  readonly oracle: readonly [Solution, ...Solution[]];
  readonly naive: Solution;
}

/** One rung of indirection. A new one is a file that exports this and a line in the registry. */
export interface Depth {
  readonly depth: number;
  /** The mechanism in a few words, for tables and docs. */
  readonly title: string;
  /** Prompts of equal content; each gets the places joined by spaces. The seed chooses. */
  readonly wordings: readonly [Wording, ...Wording[]];
  /** Whether the episode's evidence comes from the tmux server's debug log. */
  readonly debugLog: boolean;
  make(request: DepthRequest): DepthTask;
}

export type Wording = (places: string) => string;
