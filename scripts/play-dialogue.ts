import type { Action, Grade, Step } from '../env/index.ts';

/** How `play` talks: JSON lines to a program, or text to a person. */
export interface Dialogue {
  begin(prompt: string): void;
  /** Null for a line that is no action: it was answered, and the episode goes on. */
  read(line: string): Action | null;
  answer(step: Step): void;
  /** The next action is expected. */
  invite(): void;
  end(grade: Grade): void;
}
