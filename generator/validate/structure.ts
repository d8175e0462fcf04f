import { hashTask, InputError, type Task, taskSchema } from '../../env/index.ts';
import { makeTask } from '../select/index.ts';
import { findSuiteTask } from '../suite/index.ts';
import type { ValidationFailure } from './failure.ts';

/** What can be proven of a task without an episode: its identity, and that its prompt gives nothing away. Pure. */
export function findStructureFailures(task: Task): readonly ValidationFailure[] {
  const findings = [findHash(task), findRoundTrip(task), findPromptLeak(task), findSlots(task)];
  return findings.flatMap((finding) => (finding === null ? [] : [{ task: task.id, ...finding }]));
}

type Finding = Omit<ValidationFailure, 'task'> | null;

/** The same id makes the same task; a task from a file that is not of the house is all that its id names. */
function findHash(task: Task): Finding {
  const expected = hashAgain(task);
  const found = hashTask(task);
  return expected === found ? null : { check: 'hash', expected, found };
}

function hashAgain(task: Task): string {
  try {
    return hashTask(task.about === undefined ? makeTask(task.id) : (findSuiteTask(task.id) ?? task));
  } catch (error) {
    if (error instanceof InputError) return `the id of a task (${error.message})`;
    throw error;
  }
}

function findRoundTrip(task: Task): Finding {
  const expected = hashTask(task);
  const found = hashTask(taskSchema.parse(JSON.parse(JSON.stringify(task))));
  return expected === found ? null : { check: 'round-trip', expected, found };
}

function findPromptLeak(task: Task): Finding {
  const leak = /\{\{.*?\}\}|\b[0-9a-f]{8}\b/.exec(task.prompt);
  return leak === null ? null : { check: 'prompt', expected: 'no slot and no token', found: JSON.stringify(leak[0]) };
}

/**
 * Every secret is placed, in the plan or by an event, and nothing names a secret that does not exist. On the cliff each
 * is in one place.
 */
function findSlots(task: Task): Finding {
  const placed = slotsIn([task.plan, task.events]).sort((left, right) => left - right);
  const planned = task.pillar === 'cliff' ? placed : [...new Set(placed)];
  const wanted = slotsIn(task.checks);
  const expected = Array.from({ length: task.slots }, (_, index) => index).join(',');
  const unknown = wanted.filter((slot) => slot >= task.slots);
  if (planned.join(',') === expected && unknown.length === 0) return null;
  return {
    check: 'slots',
    expected: `slots 0 to ${task.slots - 1}${task.pillar === 'cliff' ? ', once each' : ''}`,
    found: `placed: ${planned.join(',')}; unknown in checks: ${unknown.join(',') || 'none'}`,
  };
}

function slotsIn(value: unknown): number[] {
  return [...JSON.stringify(value).matchAll(/\{\{slot:(\d+)\}\}/g)].map((match) => Number(match[1]));
}
