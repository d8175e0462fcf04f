import { InputError } from '../errors.ts';
import type { Act } from './act.ts';
import type { TaskEvent } from './event.ts';
import type { SetupOperation, WorkerOperation } from './plan.ts';
import { type Task, taskSchema } from './task.ts';

/** The window of the session's shell, which every world has. */
const shellWindow = 'shell';
/** What the files of a plan may hold together; HOME has room for far more. */
const maximumFileBytes = 4 << 20;
/** Commands of tmux that start a program, whose arguments tmux shows to anybody. */
const starting =
  /^(?:neww|new-window|new-session|new|splitw|split-window|respawn|run|if|pipe|popup|display-popup|bind)/;

/**
 * Proves that a task can be posed and graded: its form, and that its names, secrets, events and patterns fit together.
 * Throws an InputError (`E_TASK`) that names the first thing that does not.
 */
export function requirePosable(task: Task): void {
  const parsed = taskSchema.safeParse(task);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw notPosable(task, issue?.path.join('.') ?? '', issue?.message ?? 'another form');
  }
  requireDistinctNames(task);
  requireSlots(task);
  requirePatterns(task);
  requireHiddenSecrets(task);
  requireEvents(task);
  requireQuietQuestions(task);
}

/** No hook that the agent may set runs when grading asks. */
function requireQuietQuestions(task: Task): void {
  for (const [index, { probe }] of task.checks.entries()) {
    const command = probe.type === 'tmux' ? probe.argv[0] : undefined;
    if (command !== undefined && task.hooks?.includes(`after-${command}`) === true) {
      throw notPosable(task, `checks.${index}.probe`, `${command}, though the task welcomes its hook`);
    }
  }
}

function requireDistinctNames(task: Task): void {
  const windows = new Set([shellWindow]);
  const paths = new Set<string>();
  const folders = new Set<string>();
  let bytes = 0;
  for (const [index, operation] of task.plan.entries()) {
    const name = nameOf(operation);
    if (name === null) continue;
    const seen = operation.type === 'file' ? paths : windows;
    if (seen.has(name)) throw notPosable(task, `plan.${index}`, `"${name}" a second time`);
    seen.add(name);
    if (operation.type !== 'file') continue;
    bytes += Buffer.byteLength(operation.content);
    for (const folder of foldersOf(operation.path)) folders.add(folder);
  }
  const both = [...folders].find((folder) => paths.has(folder));
  if (both !== undefined) throw notPosable(task, 'plan', `"${both}" as a file and as a folder`);
  if (bytes > maximumFileBytes)
    throw notPosable(task, 'plan', `${bytes} bytes of files, more than ${maximumFileBytes}`);
}

/** A file's path, a window's or worker's name; null for what has none of its own. */
function nameOf(operation: SetupOperation): string | null {
  switch (operation.type) {
    case 'file':
      return operation.path;
    case 'window':
    case 'worker':
      return operation.name;
    case 'option':
    case 'tmux':
    case 'shell':
      return null;
  }
}

/** `a/b/c` lies in `a` and `a/b`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function requireSlots(task: Task): void {
  const text = JSON.stringify([task.plan, task.checks, task.events]);
  const templates = [...text.matchAll(/\{\{slot:(\d+)\}\}/g)];
  const missing = templates.find(([, digits]) => Number(digits) >= task.slots);
  if (missing !== undefined) throw notPosable(task, missing[0], `only ${task.slots} slots`);
}

function requirePatterns(task: Task): void {
  for (const [index, { op, expect }] of task.checks.entries()) {
    if (op !== 'regex') continue;
    try {
      new RegExp(expect[0] ?? '');
    } catch (cause) {
      throw notPosable(task, `checks.${index}.expect`, 'no regular expression', cause);
    }
  }
}

function requireHiddenSecrets(task: Task): void {
  for (const [index, operation] of task.plan.entries()) {
    if (operation.type !== 'tmux' || !starting.test(operation.argv[0] ?? '')) continue;
    if (operation.argv.some((argument) => argument.includes('{{slot:'))) {
      throw notPosable(task, `plan.${index}`, `a secret in the arguments of ${operation.argv[0]}, which tmux shows`);
    }
  }
}

/** Events, what fires them and what checks them name each other, and the record that proves them is kept. */
function requireEvents(task: Task): void {
  const workers = new Map(
    task.plan.flatMap((operation) => (operation.type === 'worker' ? [[operation.name, operation] as const] : [])),
  );
  const events = new Map(task.events.map((event) => [event.id, event]));
  if (events.size < task.events.length) throw notPosable(task, 'events', 'an id a second time');
  if (needsRecord(task, workers) && !task.debugLog)
    throw notPosable(task, 'debugLog', 'false, though something is played');
  for (const [index, event] of task.events.entries()) requireWorker(task, `events.${index}.worker`, event, workers);
  for (const [name, worker] of workers) {
    for (const act of actsOf(worker)) {
      if (act.type === 'fire' && !events.has(act.event)) {
        throw notPosable(task, `plan (worker "${name}")`, `an act that fires "${act.event}", which is no event`);
      }
    }
  }
  requireCheckedEvents(task, events, workers);
}

function needsRecord({ events }: Task, workers: ReadonlyMap<string, WorkerOperation>): boolean {
  const isPlayed = ({ dead, restart, acts, starts, hears }: WorkerOperation): boolean =>
    (dead !== null && restart.length > 0) || acts !== undefined || starts !== undefined || hears !== undefined;
  return events.length > 0 || [...workers.values()].some(isPlayed);
}

function requireWorker(
  task: Task,
  where: string,
  event: TaskEvent,
  workers: ReadonlyMap<string, WorkerOperation>,
): void {
  const worker = workers.get(event.worker);
  if (worker === undefined) throw notPosable(task, where, `"${event.worker}", which is no worker of the plan`);
  if (worker.dead !== null && event.atMs !== null && worker.starts === undefined && worker.restart.length === 0) {
    throw notPosable(task, where, `"${event.worker}", which is dead from the start`);
  }
}

function actsOf({ acts = [], starts = [], hears = [] }: WorkerOperation): readonly Act[] {
  return [...acts, ...starts.flat(), ...hears.flatMap((hear) => hear.acts)];
}

function requireCheckedEvents(
  task: Task,
  events: ReadonlyMap<string, TaskEvent>,
  workers: ReadonlyMap<string, WorkerOperation>,
): void {
  for (const [index, { event, probe }] of task.checks.entries()) {
    const where = `checks.${index}`;
    const isListed = event === null || events.has(event) || task.instrument === 'shell';
    if (!isListed) throw notPosable(task, `${where}.event`, `"${event}", which is no event`);
    if (probe.type === 'event' && !events.has(probe.event)) {
      throw notPosable(task, `${where}.probe`, `"${probe.event}", which is no event`);
    }
    if ((probe.type === 'heard' || probe.type === 'started') && !workers.has(probe.worker)) {
      throw notPosable(task, `${where}.probe`, `"${probe.worker}", which is no worker`);
    }
    if (needsRecordToRead(probe.type) && !task.debugLog) throw notPosable(task, where, 'a probe that needs debugLog');
  }
  const reacted = new Set(
    task.checks.flatMap(({ event, role }) => (role === 'react' && event !== null ? [event] : [])),
  );
  const unchecked = [...events.keys()].find((id) => !reacted.has(id));
  if (unchecked !== undefined) throw notPosable(task, 'checks', `no check of role "react" for event "${unchecked}"`);
}

function needsRecordToRead(type: Task['checks'][number]['probe']['type']): boolean {
  return type === 'heard' || type === 'started' || type === 'event' || type === 'commands';
}

function notPosable(task: Task, where: string, found: string, cause?: unknown): InputError {
  const id: unknown = task?.id;
  return new InputError({ code: 'E_TASK', what: `Cannot pose task "${String(id)}"`, where, found, cause });
}
