import { InputError, type Solution, type Task } from '../../env/index.ts';
import type { Policy } from './policy.ts';
import { makeScriptedPlayer, makeScriptedPolicy } from './scripted.ts';

/**
 * Plays each task's own reference solution, which scores 1. The argument chooses among several, from 0; open() throws
 * an InputError (`E_POLICY`) for a task that has no such one.
 */
export function makeOraclePolicy(argument: string | null): Policy {
  const variant = argument === null ? 0 : parseVariant(argument);
  const policy = makeScriptedPolicy(argument === null ? 'oracle' : `oracle:${variant}`, () => []);
  return {
    ...policy,
    open: async ({ assignments }) => {
      for (const { task } of assignments) oracleOf(task, variant);
      return makeScriptedPlayer(({ task }) => oracleOf(task, variant).actions);
    },
  };
}

/** A plausible attempt that misses the point of the task. */
export function makeNaivePolicy(): Policy {
  return makeScriptedPolicy('naive', ({ task }) => task.solutions.naive.actions);
}

/** A confident wrong answer of the right form. */
export function makeWrongPolicy(): Policy {
  return makeScriptedPolicy('wrong', ({ task }) => task.solutions.wrong.actions);
}

/** Says at once that it is done. */
export function makeNoopPolicy(): Policy {
  return makeScriptedPolicy('noop', () => []);
}

function oracleOf(task: Task, variant: number): Solution {
  const solution = task.solutions.oracle[variant];
  if (solution !== undefined) return solution;
  const names = task.solutions.oracle.map(({ name }, index) => `${index} (${name})`).join(', ');
  throw policyError(`oracle:${variant}`, `a variant of ${task.id}: ${names}`);
}

function parseVariant(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw policyError(`oracle:${text}`, 'a number from 0 after the colon');
  return Number(text);
}

function policyError(found: string, expected: string): InputError {
  return new InputError({
    code: 'E_POLICY',
    what: 'Cannot choose a policy',
    where: '--policy',
    expected,
    found: `"${found}"`,
  });
}
