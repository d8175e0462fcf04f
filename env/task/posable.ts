import { InputError } from '../errors.ts';
import { type Task, taskSchema } from './task.ts';

/** The window of the session's shell, which every world has. */
const shellWindow = 'shell';
/** What the files of a plan may hold together; HOME has room for far more. */
const maximumFileBytes = 4 << 20;

/**
 * Proves that a task can be posed and graded: its form, and that its names, secrets and patterns fit together. Throws
 * an InputError (`E_TASK`) that names the first thing that does not.
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
}

function requireDistinctNames(task: Task): void {
  const windows = new Set([shellWindow]);
  const paths = new Set<string>();
  const folders = new Set<string>();
  let bytes = 0;
  for (const [index, operation] of task.plan.entries()) {
    if (operation.type === 'option' || operation.type === 'tmux' || operation.type === 'shell') continue;
    const [seen, name] = operation.type === 'file' ? [paths, operation.path] : [windows, operation.name];
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

/** `a/b/c` lies in `a` and `a/b`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function requireSlots(task: Task): void {
  const templates = [...JSON.stringify([task.plan, task.checks]).matchAll(/\{\{slot:(\d+)\}\}/g)];
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

function notPosable(task: Task, where: string, found: string, cause?: unknown): InputError {
  const id: unknown = task?.id;
  return new InputError({ code: 'E_TASK', what: `Cannot pose task "${String(id)}"`, where, found, cause });
}
