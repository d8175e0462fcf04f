import { type Env, type EventResult, type Grade, InputError, type Solution, type Task } from '../../env/index.ts';
import type { ValidationFailure } from './failure.ts';
import { runSolution } from './run-solution.ts';
import { findStructureFailures } from './structure.ts';

/**
 * Proves a task without a model: its structure holds, each oracle scores 1 and passes, and doing nothing, the naive
 * attempt, the wrong answer and the lazy shortcuts do not pass. Of an event level, every oracle handles every event, and
 * the naive attempt perceives none; where nothing happens, or the prompt says what does, the naive attempt passes. Plays
 * one episode per solution in `env`. Broken machinery throws a BoundaryError; a masked episode is a failure of the check
 * that it was played for.
 */
export async function validateTask(task: Task, env: Env): Promise<readonly ValidationFailure[]> {
  const failures = [...findStructureFailures(task)];
  for (const trial of makeTrials(task)) {
    const found = await runTrial(task, env, trial);
    if (found !== null) {
      failures.push({ task: task.id, check: trial.check, expected: describeTrial(trial), found });
    }
  }
  return failures;
}

interface Trial {
  readonly check: string;
  readonly solution: Solution;
  readonly passes: boolean;
  /** What becomes of every event; null where that is not proved. */
  readonly events: EventResult['outcome'] | null;
}

function makeTrials({ solutions, axes }: Task): readonly Trial[] {
  const arm = axes === undefined || axes.level === null ? null : axes.arm;
  const handled = arm === 'event' ? 'handled' : null;
  const missed = arm === 'event' ? 'never-perceived' : null;
  const fails = { passes: false, events: null };
  return [
    ...solutions.oracle.map(
      (solution): Trial => ({ check: `oracle:${solution.name}`, solution, passes: true, events: handled }),
    ),
    { check: 'noop', solution: { name: 'noop', actions: [] }, ...fails },
    { check: 'naive', solution: solutions.naive, passes: arm === 'none' || arm === 'told', events: missed },
    { check: 'wrong', solution: solutions.wrong, ...fails },
    ...(solutions.lazy ?? []).map((solution): Trial => ({ check: `lazy:${solution.name}`, solution, ...fails })),
  ];
}

function describeTrial({ passes, events }: Trial): string {
  const result = passes ? 'passed with reward 1' : 'not passed, reward below 1';
  return events === null ? result : `${result}, every event ${events}`;
}

/** What was found instead of what the trial expects, or null. */
async function runTrial(task: Task, env: Env, trial: Trial): Promise<string | null> {
  try {
    const grade = await runSolution(env, task, trial.solution);
    if (isAsExpected(grade, trial)) return null;
    const { truncatedBy } = env.summary();
    return truncatedBy === null ? describeGrade(grade) : `truncated by ${truncatedBy}, ${describeGrade(grade)}`;
  } catch (error) {
    if (error instanceof InputError) return `refused: ${error.code} ${error.message}`;
    throw error;
  }
}

function isAsExpected(grade: Grade, { passes, events }: Trial): boolean {
  if (grade.outcome !== 'scored' || grade.reward === null) return false;
  if (events !== null && !grade.events.every(({ outcome }) => outcome === events)) return false;
  return passes ? grade.passed && grade.reward === 1 : !grade.passed && grade.reward < 1;
}

function describeGrade({ outcome, passed, reward, boundary, failure, flags, checks, events }: Grade): string {
  if (outcome === 'masked') return `masked at ${boundary ?? 'an unknown boundary'}: ${failure ?? 'no reason given'}`;
  if (outcome === 'flagged') return `flagged: ${flags.join(', ')}`;
  const values = checks.map(({ id, value, note }) => `${id}: ${note ?? JSON.stringify(value)}`).join('; ');
  const ends = events.map((event) => `; ${event.id}: ${event.outcome}`).join('');
  return `${passed ? 'passed' : 'not passed'} with reward ${reward ?? 'none'} (${values}${ends})`;
}
