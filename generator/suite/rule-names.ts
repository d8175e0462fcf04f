import type { TaskFile } from './file-schema.ts';
import type { FilePath, Problem } from './problem.ts';

/** Names that are given once and found where they are used. */
export function findNameProblems(file: TaskFile): readonly Problem[] {
  return [...findDuplicates(file), ...findUnknownWorkers(file), ...findUnknownEvents(file), ...findUnreacted(file)];
}

interface Named {
  readonly name: string;
  readonly path: FilePath;
}

function findDuplicates({ plan, workers, events, checks, solutions }: TaskFile): readonly Problem[] {
  const windows = [
    ...workers.map(({ name }, index) => ({ name, path: ['workers', index, 'name'] })),
    ...plan.flatMap(({ window }, index) =>
      window === undefined ? [] : [{ name: window, path: ['plan', index, 'window'] }],
    ),
  ];
  const files = plan.flatMap(({ file }, index) =>
    file === undefined ? [] : [{ name: file, path: ['plan', index, 'file'] }],
  );
  const placed = plan.flatMap(({ worker }, index) =>
    worker === undefined ? [] : [{ name: worker, path: ['plan', index, 'worker'] }],
  );
  const named = (['oracle', 'honest', 'lazy'] as const).flatMap((key) =>
    solutions[key].map(({ name }, index) => ({ name, path: ['solutions', key, index, 'name'] })),
  );
  return [
    ...repeated('E_TASK_NAME', 'a window', [{ name: 'shell', path: [] }, ...windows]),
    ...repeated('E_TASK_NAME', 'a file', files),
    ...repeated('E_TASK_NAME', 'a place of a worker', placed),
    ...repeated(
      'E_TASK_EVENT_ID',
      'an event',
      events.map(({ id }, index) => ({ name: id, path: ['events', index, 'id'] })),
    ),
    ...repeated(
      'E_TASK_CHECK_ID',
      'a check',
      checks.map(({ id }, index) => ({ name: id, path: ['checks', index, 'id'] })),
    ),
    ...repeated('E_TASK_SOLUTION_NAME', 'a solution', named),
  ];
}

function repeated(code: string, what: string, names: readonly Named[]): readonly Problem[] {
  const seen = new Set<string>();
  return names.flatMap(({ name, path }) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const found = `${JSON.stringify(name)} a second time`;
    return [{ code, what: `Cannot name ${what}`, path, expected: 'a name of its own', found }];
  });
}

function findUnknownWorkers({ plan, workers, events, checks }: TaskFile): readonly Problem[] {
  const known = new Set(workers.map(({ name }) => name));
  const used = [
    ...plan.map(({ worker }, index) => ({ name: worker, path: ['plan', index, 'worker'] })),
    ...events.map(({ worker }, index) => ({ name: worker, path: ['events', index, 'worker'] })),
    ...checks.map(({ started }, index) => ({ name: started, path: ['checks', index, 'started'] })),
    ...checks.map(({ heard }, index) => ({ name: heard?.worker, path: ['checks', index, 'heard', 'worker'] })),
  ];
  return used.flatMap(({ name, path }) =>
    name === undefined || known.has(name) ? [] : [unknown('E_TASK_WORKER', 'a worker', { name, path }, known)],
  );
}

/** Checks of a task with a schedule belong to its events; the published format has no schedule. */
function findUnknownEvents({ workers, events, checks }: TaskFile): readonly Problem[] {
  const known = new Set(events.map(({ id }) => id));
  const fired = workers.flatMap(({ acts = [], starts = [], hears = [] }, index) => [
    ...acts.map(({ fire }, at) => ({ name: fire, path: ['workers', index, 'acts', at, 'fire'] })),
    ...starts.flatMap((list, start) =>
      list.map(({ fire }, at) => ({ name: fire, path: ['workers', index, 'starts', start, at, 'fire'] })),
    ),
    ...hears.flatMap((hear, to) =>
      hear.acts.map(({ fire }, at) => ({ name: fire, path: ['workers', index, 'hears', to, 'acts', at, 'fire'] })),
    ),
  ]);
  const checked = checks.flatMap(({ event, query }, index) =>
    query === undefined ? [{ name: event, path: ['checks', index, 'event'] }] : [],
  );
  return [...fired, ...checked].flatMap(({ name, path }) =>
    name === undefined || known.has(name) ? [] : [unknown('E_TASK_EVENT', 'an event', { name, path }, known)],
  );
}

/** An event without a check of its reaction would have no outcome. */
function findUnreacted({ events, checks }: TaskFile): readonly Problem[] {
  const reacted = new Set(
    checks.flatMap(({ role, event }) => (role === 'react' && event !== undefined ? [event] : [])),
  );
  return events.flatMap(({ id }, index) => {
    if (reacted.has(id)) return [];
    const expected = `a check with role = "react" and event = "${id}"`;
    return [
      {
        code: 'E_TASK_REACTION',
        what: 'Cannot grade an event',
        path: ['events', index, 'id'],
        expected,
        found: 'none',
      },
    ];
  });
}

function unknown(code: string, what: string, { name, path }: Named, known: ReadonlySet<string>): Problem {
  const expected = known.size === 0 ? `${what} of this file; it has none` : `one of ${[...known].join(', ')}`;
  return { code, what: `Cannot find ${what}`, path, expected, found: JSON.stringify(name) };
}
