import type { FileCheck } from './check-schema.ts';
import { isPublished } from './compile-task.ts';
import type { TaskFile } from './file-schema.ts';
import type { Problem } from './problem.ts';

/** Checks that can hold, and solutions that prove it. */
export function findCheckProblems(file: TaskFile): readonly Problem[] {
  return [
    ...file.checks.flatMap((check, index) => checkExpect(check, index)),
    ...findUnreachable(file),
    ...findUnproven(file),
  ];
}

const listOps = new Set(['in', 'multiset', 'lines', 'sha256']);
const numberOps = new Set(['lt', 'le', 'gt', 'ge']);
const bareOps = new Set(['nonempty', 'empty']);

function checkExpect({ op, expect }: FileCheck, index: number): readonly Problem[] {
  const path = ['checks', index, 'expect'];
  const problem = (expected: string, found: string, code = 'E_TASK_EXPECT'): readonly Problem[] => [
    { code, what: `Cannot compare by "${op}"`, path, expected, found },
  ];
  if (bareOps.has(op)) return [];
  if (expect === undefined) return problem('a value in "expect"', 'nothing');
  if (listOps.has(op)) return [];
  if (Array.isArray(expect) && expect.length !== 1) return problem('one value', `a list of ${expect.length}`);
  const text = String([expect].flat()[0]);
  if (numberOps.has(op) && (text.trim() === '' || !Number.isFinite(Number(text))))
    return problem('a number', JSON.stringify(text));
  if (op !== 'regex') return [];
  try {
    new RegExp(text);
    return [];
  } catch (error) {
    return problem('a regular expression', error instanceof Error ? error.message : text, 'E_TASK_PATTERN');
  }
}

/** Events that never happen, and what is asked about them. */
function findUnreachable({ workers, events, checks, env }: TaskFile): readonly Problem[] {
  const fired = new Set(
    workers.flatMap(({ acts = [], starts = [], hears = [] }) =>
      [...acts, ...starts.flat(), ...hears.flatMap((hear) => hear.acts)].flatMap(({ fire }) => fire ?? []),
    ),
  );
  const ticks = env.ticks ?? Math.max(240, 10 * env.max_turns);
  const late = events.flatMap(({ at }, index) => {
    if (at === undefined || at < ticks) return [];
    return [unreachable(['events', index, 'at'], `a time before the episode ends at tick ${ticks}`, String(at))];
  });
  const never = events.filter(({ id, at }) => at === undefined && !fired.has(id)).map(({ id }) => id);
  const asked = checks.flatMap(({ event = '', field }, index) => {
    if (field === undefined || !never.includes(event)) return [];
    return [
      unreachable(
        ['checks', index, 'event'],
        'an event that happens',
        `"${event}", without a time and fired by nothing`,
      ),
    ];
  });
  return [...late, ...asked];
}

function unreachable(path: Problem['path'], expected: string, found: string): Problem {
  return { code: 'E_TASK_UNREACHABLE', what: 'Cannot hold a check that nobody can meet', path, expected, found };
}

/** A task of ours has a solution, a plausible miss and a wrong answer; the published format has a reference. */
function findUnproven(file: TaskFile): readonly Problem[] {
  const { solutions, reference } = file;
  const what = 'Cannot prove a task';
  const problem = (expected: string): Problem => ({
    code: 'E_TASK_SOLUTION',
    what,
    path: ['solutions'],
    expected,
    found: 'none',
  });
  if (solutions.oracle.length + solutions.honest.length === 0 && reference === undefined) {
    return [problem('"reference" or a solution in "solutions.oracle"')];
  }
  if (isPublished(file)) return [];
  return (['naive', 'wrong'] as const).flatMap((key) =>
    solutions[key] === undefined ? [problem(`a solution in "solutions.${key}"`)] : [],
  );
}
