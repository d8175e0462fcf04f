import { hashTask, type Task } from '../../env/index.ts';
import type { Split } from '../split/index.ts';
import { makeNameIndex, type NameIndex } from './name-index.ts';
import { makePromptIndex, type PromptIndex } from './prompt-index.ts';
import { makeWordingIndex, type WordingIndex } from './wording-index.ts';

/** The held-out tasks of a reference, as rows are compared with them. */
export interface HeldOut {
  /** In the order of the indexes. */
  readonly ids: readonly string[];
  readonly prompts: readonly string[];
  /** From content hash to id. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly repeats: PromptIndex;
  /** The same of the prompts that are not held out. */
  readonly others: PromptIndex;
  readonly wordings: WordingIndex;
  readonly names: NameIndex;
}

/** Why a task is in the held-out part; null where it is not. */
export function explainHeldOut(split: Split, task: Task): string | null {
  const outside = split.explain(task);
  if (split.role === 'train') return outside;
  return outside === null ? `it is in "${split.name}"` : null;
}

export function makeHeldOut(split: Split, reference: Iterable<Task>): HeldOut {
  const ids: string[] = [];
  const prompts: string[] = [];
  const allowed: string[] = [];
  const hashes = new Map<string, string>();
  for (const task of reference) {
    if (explainHeldOut(split, task) === null) {
      allowed.push(task.prompt);
      continue;
    }
    ids.push(task.id);
    prompts.push(task.prompt);
    hashes.set(hashTask(task), task.id);
  }
  return {
    ids,
    prompts,
    hashes,
    repeats: makePromptIndex(prompts),
    others: makePromptIndex(allowed),
    wordings: makeWordingIndex(prompts, allowed),
    names: makeNameIndex(prompts, allowed),
  };
}
