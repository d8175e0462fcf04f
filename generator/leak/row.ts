import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, type Task } from '../../env/index.ts';
import { isTaskId, type Line, makeTask, parseJsonLine, parseTask, readLines, suites } from '../select/index.ts';
import type { AxisFacts } from '../split/index.ts';

/** What a line of training data says about the task it came from. */
export interface LeakRow {
  /** `file:line`. */
  readonly where: string;
  /** The task that the row names or is; null where it does not say. */
  readonly task: Task | null;
  /** What the row says of its task by axis, such as `depth` and `seed`. */
  readonly facts: AxisFacts;
  readonly taskHash: string | null;
  /** What a model is shown: the prompt, and each system and user message. */
  readonly texts: readonly string[];
}

/**
 * The rows of a JSONL file, or of the `episodes.jsonl` or `tasks.jsonl` of a folder: whole tasks, or rows with any of
 * `task`, `task_id`, `task_hash`, `prompt`, `messages`, `depth`, `seed` and the other axes. Throws an InputError with file
 * and line: `E_JSON` for a torn line, `E_ROW` for a row that tells nothing of its task and has no text, and as
 * `parseTaskId` and `parseTask` do.
 */
export function* readRows(path: string): Generator<LeakRow, void, undefined> {
  const file = findRows(path);
  for (const line of readLines(file)) {
    if (line.text.trim() !== '') yield parseRow(line, file);
  }
}

function findRows(path: string): string {
  if (!existsSync(path) || !statSync(path).isDirectory()) return path;
  const names = ['episodes.jsonl', 'tasks.jsonl'];
  const file = names.map((name) => join(path, name)).find((each) => existsSync(each));
  if (file !== undefined) return file;
  throw new InputError({
    code: 'E_FILE',
    what: 'Cannot find rows in a folder',
    where: path,
    expected: names.join(' or '),
    found: 'neither',
  });
}

function parseRow(line: Line, path: string): LeakRow {
  const where = `${path}:${line.number}`;
  const value = parseJsonLine(line, path);
  if (!isRecord(value)) throw rowError(where);
  if ('plan' in value) {
    const task = parseTask(value, where);
    return { where, task, facts: {}, taskHash: null, texts: [task.prompt] };
  }
  const id = [value['task'], value['task_id'], value['id']].find(isTaskName);
  const hash = value['task_hash'];
  const row: LeakRow = {
    where,
    task: id === undefined ? null : makeTask(id),
    facts: readFacts(value),
    taskHash: typeof hash === 'string' ? hash : null,
    texts: [...readTexts(value['prompt']), ...readTexts(value['messages'])],
  };
  const isSilent = row.task === null && row.taskHash === null && row.texts.length === 0;
  if (isSilent && Object.keys(row.facts).length === 0) throw rowError(where);
  return row;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rows of other data sets have ids of their own. */
function isTaskName(value: unknown): value is string {
  return typeof value === 'string' && isTaskId(value);
}

/** The field of each axis, in our records and in published ones. */
const numberFields = { depths: 'depth', ops: 'ops', seeds: 'seed', levels: 'level', counts: 'count' } as const;
const wordFields = {
  suites: 'suite',
  profiles: 'profile',
  kinds: 'kind',
  arms: 'arm',
  delegations: 'delegation',
} as const;

/** Only what is of the right type, and nothing of another suite than ours: others have fields of these names too. */
function readFacts(row: Readonly<Record<string, unknown>>): AxisFacts {
  const suite = row['suite'];
  if (suite !== undefined && !suites.some(({ name }) => name === suite)) return {};
  const numbers = Object.entries(numberFields).filter(([, field]) => Number.isSafeInteger(row[field]));
  const words = Object.entries(wordFields).filter(([, field]) => typeof row[field] === 'string');
  return Object.fromEntries([...numbers, ...words].map(([axis, field]) => [axis, row[field]]));
}

/** A string as it is; of a list of messages, what the model did not write itself. */
function readTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (!Array.isArray(value)) return [];
  return value
    .filter(isRecord)
    .filter((message) => message['role'] !== 'assistant')
    .flatMap((message) => readTexts(message['content']));
}

function rowError(where: string): InputError {
  return new InputError({
    code: 'E_ROW',
    what: 'Cannot tell what a row was made from',
    where,
    expected: 'a JSON object with task, task_id, task_hash, prompt, messages, or axes such as depth and seed',
    found: 'none of them',
  });
}
