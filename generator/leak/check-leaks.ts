import { hashTask, type Task } from '../../env/index.ts';
import { explainFacts, isDecided, type Split } from '../split/index.ts';
import { explainHeldOut, type HeldOut, makeHeldOut } from './held-out.ts';
import { matchText, type TextMatch } from './match-text.ts';
import type { LeakRow } from './row.ts';

/** A row that touches the held-out part, or may. */
export interface Leak {
  /** `file:line` of the row. */
  readonly where: string;
  /**
   * `structure`: the row's task, or what the row says of it, is held out. `hash`: its content hash is a held-out task's,
   * or is not its own task's. The others are those of `TextMatch`.
   */
  readonly kind: 'structure' | 'hash' | TextMatch['kind'];
  readonly task: string | null;
  readonly expected: string;
  readonly found: string;
}

export interface LeakReport {
  readonly rows: number;
  /** Rows whose task is named, so that its structure proves it inside. */
  readonly proven: number;
  readonly findings: readonly Leak[];
  /** Rows proven inside by structure whose own prompt nearly repeats a held-out one; no findings. */
  readonly near: readonly Leak[];
}

/**
 * Proves that rows do not touch what a split holds out: all that a `train` split does not allow, all that a `holdout`
 * split does. Structure is decided exactly. Hashes and prompts are compared with the held-out tasks among `reference`;
 * its other tasks tell how the wordings differ.
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
    const leak = findByStructure(row, split) ?? findByHash(row, heldOut) ?? findByText(row, heldOut);
    if (leak !== null) findings.push(leak);
    else near.push(...findNear(row, heldOut));
  }
  return { rows: count, proven, findings, near };
}

function findByStructure({ where, task, facts }: LeakRow, split: Split): Leak | null {
  const reason = task === null ? explainRow(facts, split) : explainHeldOut(split, task);
  if (reason === null) return null;
  const expected = `a task outside of what ${split.label} holds out`;
  return { where, kind: 'structure', task: task?.id ?? null, expected, found: reason };
}

/** Why what a row says of its task, without naming it, is held out. */
function explainRow(facts: LeakRow['facts'], { axes, role, name }: Split): string | null {
  const outside = explainFacts(facts, axes);
  if (role === 'train') return outside;
  return outside === null && isDecided(facts, axes) ? `it is in "${name}"` : null;
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

/** In what a row shows beside the prompt of its own task, which structure has proven inside. */
function findByText({ where, task, texts }: LeakRow, heldOut: HeldOut): Leak | null {
  for (const text of texts) {
    const match = matchText(task === null ? text : text.replaceAll(task.prompt, ''), heldOut);
    if (match !== null) return { where, ...match, expected: 'no held-out prompt' };
  }
  return null;
}

function findNear({ where, task, texts }: LeakRow, heldOut: HeldOut): readonly Leak[] {
  if (task === null || !texts.some((text) => text.includes(task.prompt))) return [];
  const match = matchText(task.prompt, heldOut);
  return match === null ? [] : [{ where, ...match, expected: 'no held-out prompt' }];
}
