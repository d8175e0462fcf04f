import { hashTask, type Task } from '../../env/index.ts';
import type { Split } from '../split/index.ts';
import { makePromptIndex, type PromptIndex } from './prompt-index.ts';
import type { LeakRow } from './row.ts';

/** A row that touches the held-out part, or may. */
export interface Leak {
  /** `file:line` of the row. */
  readonly where: string;
  /**
   * `structure`: the row's task is held out. `hash`: its content hash is a held-out task's, or is not its own task's.
   * `prompt`: it repeats a held-out prompt. `near-duplicate`: it nearly does.
   */
  readonly kind: 'structure' | 'hash' | 'prompt' | 'near-duplicate';
  readonly task: string | null;
  readonly expected: string;
  readonly found: string;
}

export interface LeakReport {
  readonly rows: number;
  /** Rows whose task is named, so that its structure proves it inside. */
  readonly proven: number;
  readonly findings: readonly Leak[];
  /** Rows proven inside by structure whose prompt nearly repeats a held-out one; no findings. */
  readonly near: readonly Leak[];
}

/**
 * Proves that rows do not touch what a split holds out: all that a `train` split does not allow, all that a `holdout`
 * split does. Structure is decided exactly. Hashes and prompts are compared with the held-out tasks among `reference`.
 */
export function checkLeaks(rows: Iterable<LeakRow>, split: Split, reference: Iterable<Task>): LeakReport {
  const heldOut = makeHeldOut(split, reference);
  const findings: Leak[] = [];
  const near: Leak[] = [];
  let count = 0;
  let proven = 0;
  for (const row of rows) {
    count += 1;
    if (row.task !== null) proven += 1;
    const leak = findLeak(row, split, heldOut);
    if (leak === null) continue;
    const harmless = leak.kind === 'near-duplicate' && row.task !== null && row.text.includes(row.task.prompt);
    (harmless ? near : findings).push(leak);
  }
  return { rows: count, proven, findings, near };
}

/** Why a task is in the held-out part; null where it is not. */
export function explainHeldOut(split: Split, task: Task): string | null {
  const outside = split.explain(task);
  if (split.role === 'train') return outside;
  return outside === null ? `it is in "${split.name}"` : null;
}

interface HeldOut {
  readonly ids: readonly string[];
  readonly prompts: readonly string[];
  readonly hashes: ReadonlyMap<string, string>;
  readonly index: PromptIndex;
}

function makeHeldOut(split: Split, reference: Iterable<Task>): HeldOut {
  const ids: string[] = [];
  const prompts: string[] = [];
  const hashes = new Map<string, string>();
  for (const task of reference) {
    if (explainHeldOut(split, task) === null) continue;
    ids.push(task.id);
    prompts.push(task.prompt);
    hashes.set(hashTask(task), task.id);
  }
  return { ids, prompts, hashes, index: makePromptIndex(prompts) };
}

function findLeak(row: LeakRow, split: Split, heldOut: HeldOut): Leak | null {
  return findByStructure(row, split) ?? findByHash(row, heldOut) ?? findByText(row, heldOut);
}

function findByStructure({ where, task }: LeakRow, split: Split): Leak | null {
  const reason = task === null ? null : explainHeldOut(split, task);
  if (task === null || reason === null) return null;
  return {
    where,
    kind: 'structure',
    task: task.id,
    expected: `a task outside of what ${split.label} holds out`,
    found: reason,
  };
}

function findByHash({ where, task, taskHash }: LeakRow, { hashes }: HeldOut): Leak | null {
  if (taskHash === null) return null;
  const other = hashes.get(taskHash);
  const own = task === null ? null : hashTask(task);
  if (other !== undefined && own !== taskHash) {
    return { where, kind: 'hash', task: other, expected: 'a hash that is not held out', found: taskHash };
  }
  if (own === null || own === taskHash) return null;
  return { where, kind: 'hash', task: task?.id ?? null, expected: own, found: taskHash };
}

function findByText({ where, text }: LeakRow, { ids, prompts, index }: HeldOut): Leak | null {
  const match = index.findNear(text);
  if (match === null) return null;
  const task = ids[match.index] ?? null;
  const same = text.includes(prompts[match.index] ?? text);
  const found = same ? 'the same prompt' : `${Math.round(match.share * 100)} % of its wording`;
  return { where, kind: same ? 'prompt' : 'near-duplicate', task, expected: 'no held-out prompt', found };
}
