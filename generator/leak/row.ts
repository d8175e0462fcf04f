import { InputError, type Task } from '../../env/index.ts';
import { type Line, makeTask, parseJsonLine, parseTask, readLines } from '../select/index.ts';

/** What a line of training data says about the task it came from. */
export interface LeakRow {
  /** `file:line`. */
  readonly where: string;
  /** The task that the row names or is; null where it does not say. */
  readonly task: Task | null;
  readonly taskHash: string | null;
  /** What a model is shown: the prompt, or the system and user messages. Empty where there is none. */
  readonly text: string;
}

/**
 * The rows of a JSONL file: whole tasks, or rows with any of `task`, `task_id`, `task_hash`, `prompt`, `messages`.
 * Throws an InputError with file and line: `E_JSON` for a torn line, `E_ROW` for a row that names no task and has no
 * text, and as `parseTaskId` and `parseTask` do.
 */
export function* readRows(path: string): Generator<LeakRow, void, undefined> {
  for (const line of readLines(path)) {
    if (line.text.trim() !== '') yield parseRow(line, path);
  }
}

function parseRow(line: Line, path: string): LeakRow {
  const where = `${path}:${line.number}`;
  const value = parseJsonLine(line, path);
  if (!isRecord(value)) throw rowError(where);
  if ('plan' in value) {
    const task = parseTask(value, where);
    return { where, task, taskHash: null, text: task.prompt };
  }
  const id = [value['task'], value['task_id'], value['id']].find(isTaskName);
  const hash = value['task_hash'];
  const row = {
    where,
    task: id === undefined ? null : makeTask(id),
    taskHash: typeof hash === 'string' ? hash : null,
    text: [readText(value['prompt']), readText(value['messages'])].join('\n').trim(),
  };
  if (row.task === null && row.taskHash === null && row.text === '') throw rowError(where);
  return row;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rows of other data sets have ids of their own; ours begin with the suite. */
function isTaskName(value: unknown): value is string {
  return typeof value === 'string' && /^(cliff|events|control|solo)[.-]/.test(value);
}

/** A string as it is; of a list of messages, what the model did not write itself. */
function readText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .filter(isRecord)
    .filter((message) => message['role'] !== 'assistant')
    .map((message) => (typeof message['content'] === 'string' ? message['content'] : ''))
    .join('\n');
}

function rowError(where: string): InputError {
  return new InputError({
    code: 'E_ROW',
    what: 'Cannot tell what a row was made from',
    where,
    expected: 'a JSON object with task, task_id, task_hash, prompt or messages',
    found: 'none of them',
  });
}
