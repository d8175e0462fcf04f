import type { Act, Hear, SetupOperation, WorkerOperation } from '../../env/index.ts';
import type { TaskFile } from './file-schema.ts';
import type { FileAct, FileEvent, FileStep, FileWorker } from './world-schema.ts';

/** Makes the plan of a task: workers that no step places, then the steps in order, then the published `setup`. */
export function compilePlan({ plan, workers, setup, env }: TaskFile): readonly SetupOperation[] {
  const placed = new Set(plan.flatMap(({ worker }) => worker ?? []));
  const byName = new Map(workers.map((worker) => [worker.name, compileWorker(worker)]));
  const first = workers.filter(({ name }) => !placed.has(name)).map(({ name }) => byName.get(name));
  const steps = plan.map((step) => (step.worker === undefined ? compileStep(step) : byName.get(step.worker)));
  const operations = [...first, ...steps].filter((operation) => operation !== undefined);
  if (setup === undefined) return operations;
  return [...operations, { type: 'shell', script: `${geometry(env)}${setup}`, timeoutMs: ms(env.setup_timeout) }];
}

/** An event in the task's form; keys that its kind does not take are left for the schema to refuse. */
export function compileEvent({ at, deadline, every, ...event }: FileEvent): Readonly<Record<string, unknown>> {
  const kept = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));
  return {
    ...(event.kind === 'completion' ? { says: [], channel: null, status: null } : {}),
    ...kept,
    ...(every === undefined ? {} : { everyMs: ms(every) }),
    atMs: at === undefined ? null : ms(at),
    deadlineMs: deadline === undefined ? null : ms(deadline),
  };
}

/** The published runner tells `setup` how large its sessions should be. */
function geometry({ width = 200, height = 50 }: TaskFile['env']): string {
  return `export BENCH_WIDTH=${width} BENCH_HEIGHT=${height}\n`;
}

function compileStep(step: FileStep): SetupOperation | undefined {
  const { file, content = '', option, value = '', window, session, tmux } = step;
  if (file !== undefined) return { type: 'file', path: file, content };
  if (option !== undefined) return { type: 'option', name: option, value };
  if (tmux !== undefined) return { type: 'tmux', argv: tmux };
  if (window === undefined) return undefined;
  return { type: 'window', name: window, ...(session === undefined ? {} : { session }) };
}

function compileWorker({ name, screen, dead, restart, ...worker }: FileWorker): WorkerOperation {
  const { session, split, acts, starts, hears } = worker;
  return {
    type: 'worker',
    name,
    screen,
    dead: dead === undefined ? null : { status: dead },
    restart,
    ...(session === undefined ? {} : { session }),
    ...(split === undefined ? {} : { split }),
    ...(acts === undefined ? {} : { acts: acts.flatMap(compileAct) }),
    ...(starts === undefined ? {} : { starts: starts.map((list) => list.flatMap(compileAct)) }),
    ...(hears === undefined ? {} : { hears: hears.map(compileHear) }),
  };
}

function compileHear({ line = undefined, times, acts }: NonNullable<FileWorker['hears']>[number]): Hear {
  return { line: line ?? null, ...(times === undefined ? {} : { times }), acts: acts.flatMap(compileAct) };
}

function compileAct({ after, every = 1, ...act }: FileAct): readonly Act[] {
  const afterMs = ms(after);
  if (act.print !== undefined) return [{ type: 'print', afterMs, lines: act.print }];
  if (act.beat !== undefined) {
    const times = act.times === undefined ? {} : { times: act.times };
    return [{ type: 'beat', afterMs, everyMs: ms(every), ...times, lines: act.beat }];
  }
  if (act.bell !== undefined) return [{ type: 'bell', afterMs }];
  if (act.exit !== undefined) return [{ type: 'exit', afterMs, status: act.exit }];
  if (act.signal !== undefined) return [{ type: 'signal', afterMs, channel: act.signal }];
  return act.fire === undefined ? [] : [{ type: 'fire', afterMs, event: act.fire }];
}

function ms(seconds: number): number {
  return Math.round(seconds * 1_000);
}
