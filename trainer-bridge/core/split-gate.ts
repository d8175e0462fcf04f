import { InputError, type Task } from '../../env/index.ts';
import type { TaskGate } from '../../generator/index.ts';

/** A frozen choice of tasks. */
export interface SplitGate extends TaskGate {
  readonly name: string;
  readonly hash: string;
}

/** The split that a server is held to, and the other splits of its file. */
export interface SplitCeiling {
  readonly split: SplitGate;
  /** `FILE:NAME`, for records. */
  readonly source: string;
  /** Another split of the same file, by name. Throws an InputError where there is none. */
  narrow(name: string): SplitGate;
}

/** Throws `E_SPLIT`, naming task and split, unless every gate lets the task through. */
export function checkSplits(task: Task, gates: readonly (SplitGate | null)[]): void {
  for (const gate of gates) {
    const reason = gate?.explain(task) ?? null;
    if (gate !== null && reason !== null) throw heldOut(task, gate, reason);
  }
}

function heldOut(task: Task, gate: SplitGate, found: string): InputError {
  return new InputError({
    code: 'E_SPLIT',
    what: `Cannot create task "${task.id}": it is held out by split "${gate.name}"`,
    where: `split ${formatGate(gate)}`,
    expected: 'a task that the split allows',
    found,
    hint: 'the server enforces its split; a client can narrow it, never widen it',
  });
}

/** `name@hash`, the hash cut to 16 digits. */
export function formatGate(gate: SplitGate): string {
  return `${gate.name}@${gate.hash.slice(0, 16)}`;
}
