import { type Env, type Grade, InputError, type Solution, type Task } from '../../env/index.ts';
import type { ValidationFailure } from './failure.ts';
import { runSolution } from './run-solution.ts';
import { findStructureFailures } from './structure.ts';

/**
 * Proves a task without a model: its structure holds, each oracle scores 1 and passes, and doing nothing, the naive
 * attempt, the wrong answer and the lazy shortcuts do not pass. Plays one episode per solution in `env`. Broken machinery throws a
 * BoundaryError; a masked episode is a failure of the check that it was played for.
 */
export async function validateTask(task: Task, env: Env): Promise<readonly ValidationFailure[]> {
  const failures = [...findStructureFailures(task)];
  for (const trial of makeTrials(task)) {
    const found = await runTrial(task, env, trial);
    if (found !== null) {
      const expected = trial.passes ? 'passed with reward 1' : 'not passed, reward below 1';
      failures.push({ task: task.id, check: trial.check, expected, found });
    }
  }
  return failures;
}

interface Trial {
  readonly check: string;
  readonly solution: Solution;
  readonly passes: boolean;
}

function makeTrials({ solutions }: Task): readonly Trial[] {
  return [
    ...solutions.oracle.map((solution) => ({ check: `oracle:${solution.name}`, solution, passes: true })),
    { check: 'noop', solution: { name: 'noop', actions: [] }, passes: false },
    { check: 'naive', solution: solutions.naive, passes: false },
    { check: 'wrong', solution: solutions.wrong, passes: false },
    ...(solutions.lazy ?? []).map((solution) => ({ check: `lazy:${solution.name}`, solution, passes: false })),
  ];
}

/** What was found instead of what the trial expects, or null. */
async function runTrial(task: Task, env: Env, { solution, passes }: Trial): Promise<string | null> {
  try {
    const grade = await runSolution(env, task, solution);
    if (isAsExpected(grade, passes)) return null;
    const { truncatedBy } = env.summary();
    return truncatedBy === null ? describeGrade(grade) : `truncated by ${truncatedBy}, ${describeGrade(grade)}`;
  } catch (error) {
    if (error instanceof InputError) return `refused: ${error.code} ${error.message}`;
    throw error;
  }
}

function isAsExpected(grade: Grade, passes: boolean): boolean {
  if (grade.outcome !== 'scored' || grade.reward === null) return false;
  return passes ? grade.passed && grade.reward === 1 : !grade.passed && grade.reward < 1;
}

function describeGrade({ outcome, passed, reward, boundary, failure, flags, checks }: Grade): string {
  if (outcome === 'masked') return `masked at ${boundary ?? 'an unknown boundary'}: ${failure ?? 'no reason given'}`;
  if (outcome === 'flagged') return `flagged: ${flags.join(', ')}`;
  const values = checks.map(({ id, value, note }) => `${id}: ${note ?? JSON.stringify(value)}`).join('; ');
  return `${passed ? 'passed' : 'not passed'} with reward ${reward ?? 'none'} (${values})`;
}
