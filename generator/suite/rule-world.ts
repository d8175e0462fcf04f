import type { TaskFile } from './file-schema.ts';
import type { Problem } from './problem.ts';
import type { FileWorker } from './world-schema.ts';

/** Commands of tmux that start a program, whose command line tmux shows to everybody. */
const starters = new Set([
  'bind-key',
  'if-shell',
  'new-session',
  'new-window',
  'pipe-pane',
  'respawn-pane',
  'respawn-window',
  'run-shell',
  'set-hook',
  'split-window',
]);

/** What has to be there before it is used. */
export function findWorldProblems(file: TaskFile): readonly Problem[] {
  const cycles = findCycles(file.workers);
  return [...(cycles.length > 0 ? cycles : findOrder(file)), ...findShownSecrets(file)];
}

/** Workers that are split from each other's window, round in a circle. */
function findCycles(workers: readonly FileWorker[]): readonly Problem[] {
  const splits = new Map(workers.map(({ name, split }) => [name, split]));
  return workers.flatMap(({ name }, index) => {
    const chain = [name];
    for (let next = splits.get(name); next !== undefined; next = splits.get(next)) {
      chain.push(next);
      if (next === name) return [cycle(index, chain)];
      if (chain.length > workers.length + 1) return [];
    }
    return [];
  });
}

function cycle(index: number, chain: readonly string[]): Problem {
  return {
    code: 'E_TASK_CYCLE',
    what: 'Cannot set up windows that wait for each other',
    path: ['workers', index, 'split'],
    expected: 'a window that is there already',
    found: chain.join(' from '),
  };
}

interface Made {
  readonly windows: Set<string>;
  readonly sessions: Set<string>;
}

/** Walks through set-up in its order. */
function findOrder({ plan, workers }: TaskFile): readonly Problem[] {
  const made: Made = { windows: new Set(['shell']), sessions: new Set(['main']) };
  const placed = new Set(plan.flatMap(({ worker }) => worker ?? []));
  const indexed = workers.map((worker, index) => ({ worker, index }));
  const first = indexed.filter(({ worker }) => !placed.has(worker.name));
  const problems = first.flatMap(({ worker, index }) => placeWorker(worker, index, made));
  for (const [index, step] of plan.entries()) {
    const place = indexed.find(({ worker }) => worker.name === step.worker);
    if (place !== undefined) problems.push(...placeWorker(place.worker, place.index, made));
    if (step.window !== undefined) {
      problems.push(...requireSession(step.session, ['plan', index, 'session'], made));
      made.windows.add(step.window);
    }
    if (step.tmux !== undefined) noteCommand(step.tmux, made);
  }
  return problems;
}

function placeWorker({ name, split, session }: FileWorker, index: number, made: Made): Problem[] {
  const problems = [...requireSession(session, ['workers', index, 'session'], made)];
  if (split !== undefined && !made.windows.has(split)) {
    problems.push(absent('window', split, ['workers', index, 'split'], made.windows));
  }
  if (split === undefined) made.windows.add(name);
  return problems;
}

function requireSession(session: string | undefined, path: Problem['path'], { sessions }: Made): readonly Problem[] {
  return session === undefined || sessions.has(session) ? [] : [absent('session', session, path, sessions)];
}

function absent(what: string, name: string, path: Problem['path'], made: ReadonlySet<string>): Problem {
  return {
    code: 'E_TASK_ORDER',
    what: `Cannot use a ${what} that is not there yet`,
    path,
    expected: `one of ${[...made].join(', ')}`,
    found: JSON.stringify(name),
    hint: 'steps run in order, after the workers that no step places',
  };
}

function noteCommand(argv: readonly string[], { windows, sessions }: Made): void {
  const [command = ''] = argv;
  const session = argv[argv.indexOf('-s') + 1];
  const window = argv[argv.indexOf('-n') + 1];
  if (command === 'new-session' && argv.includes('-s') && session !== undefined) sessions.add(session);
  if (/^new-(session|window)$/.test(command) && argv.includes('-n') && window !== undefined) windows.add(window);
}

function findShownSecrets({ plan }: TaskFile): readonly Problem[] {
  return plan.flatMap(({ tmux = [] }, index) => {
    const at = starters.has(tmux[0] ?? '') ? tmux.findIndex((word) => word.includes('{{slot:')) : -1;
    if (at < 0) return [];
    return [
      {
        code: 'E_TASK_SECRET',
        what: 'Cannot put a secret into a command line, which tmux shows',
        path: ['plan', index, 'tmux', at],
        expected: 'a worker that prints it, an option, a buffer or a file',
        found: JSON.stringify(tmux[at]),
      },
    ];
  });
}
