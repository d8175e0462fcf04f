import { probeKeys } from './check-schema.ts';
import type { TaskFile } from './file-schema.ts';
import type { FilePath, Problem } from './problem.ts';
import type { FileSolution } from './solution-schema.ts';

const stepKeys = ['file', 'option', 'window', 'tmux', 'worker'] as const;
const actKeys = ['print', 'beat', 'bell', 'exit', 'signal', 'fire'] as const;
const actionKeys = ['command', 'script', 'wait', 'keys'] as const;
const solutionKeys = ['script', 'actions'] as const;

/** Tables that say exactly one thing, and keys that go together. */
export function findShapeProblems(file: TaskFile): readonly Problem[] {
  return [...checkSteps(file), ...checkActs(file), ...checkProbes(file), ...checkSolutions(file)];
}

type Table = Readonly<Record<string, unknown>>;

function checkSteps({ plan }: TaskFile): readonly Problem[] {
  return plan.flatMap((step, index) => {
    const path = ['plan', index];
    return [
      ...oneOf(step, stepKeys, path),
      ...pair(step, 'content', 'file', path),
      ...pair(step, 'value', 'option', path),
      ...pair(step, 'session', 'window', path),
    ];
  });
}

function checkActs({ workers }: TaskFile): readonly Problem[] {
  const lists = workers.flatMap(({ acts = [], starts = [], hears = [] }, index) => [
    { path: ['workers', index, 'acts'], acts },
    ...starts.map((start, at) => ({ path: ['workers', index, 'starts', at], acts: start })),
    ...hears.map((hear, at) => ({ path: ['workers', index, 'hears', at, 'acts'], acts: hear.acts })),
  ]);
  return lists.flatMap(({ path, acts }) =>
    acts.flatMap((act, index) => {
      const at = [...path, index];
      return [
        ...oneOf(act, actKeys, at),
        ...pair(act, 'beat', 'every', at),
        ...pair(act, 'every', 'beat', at),
        ...pair(act, 'times', 'beat', at),
      ];
    }),
  );
}

function checkProbes({ checks }: TaskFile): readonly Problem[] {
  return checks.flatMap((check, index) => {
    const path = ['checks', index];
    return [
      ...oneOf(check, probeKeys, path, 'E_TASK_PROBE'),
      ...pair(check, 'timeout', 'query', path),
      ...pair(check, 'field', 'event', path),
    ];
  });
}

function checkSolutions({ solutions }: TaskFile): readonly Problem[] {
  const lists = (['oracle', 'honest', 'lazy'] as const).flatMap((key) =>
    solutions[key].map((solution, index) => ({ solution, path: ['solutions', key, index] })),
  );
  const single = (['naive', 'wrong'] as const).flatMap((key) => {
    const solution = solutions[key];
    return solution === undefined ? [] : [{ solution, path: ['solutions', key] }];
  });
  return [...lists, ...single].flatMap(({ solution, path }) => checkSolution(solution, path));
}

function checkSolution(solution: FileSolution, path: FilePath): readonly Problem[] {
  const actions = (solution.actions ?? []).flatMap((action, index) => {
    const at = [...path, 'actions', index];
    return [
      ...oneOf(action, actionKeys, at),
      ...pair(action, 'keys', 'target', at),
      ...pair(action, 'target', 'keys', at),
    ];
  });
  return [...oneOf(solution, solutionKeys, path), ...actions];
}

function oneOf(table: Table, keys: readonly string[], path: FilePath, code = 'E_TASK_ONE_OF'): readonly Problem[] {
  const given = keys.filter((key) => table[key] !== undefined);
  if (given.length === 1) return [];
  const [, second] = given;
  return [
    {
      code,
      what: 'Cannot tell what is meant',
      path: second === undefined ? path : [...path, second],
      atKey: true,
      expected: `exactly one of ${keys.join(', ')}`,
      found: given.length === 0 ? 'none of them' : given.join(' and '),
    },
  ];
}

/** `key` makes no sense without `other`. */
function pair(table: Table, key: string, other: string, path: FilePath): readonly Problem[] {
  if (table[key] === undefined || table[other] !== undefined) return [];
  return [
    {
      code: 'E_TASK_PAIR',
      what: `Cannot use key "${key}" alone`,
      path: [...path, key],
      atKey: true,
      expected: `"${other}" beside it`,
      found: 'nothing',
    },
  ];
}
