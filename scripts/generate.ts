import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import type { Task } from '../env/index.ts';
import {
  answersPath,
  formatTaskLine,
  generatorVersion,
  type TaskSelection,
  writeAnswers,
  writeTasks,
} from '../generator/index.ts';
import { interruptSignal, printJson, printLine, progress, runCommand } from './output.ts';
import { parseKeyFlag } from './run-key.ts';
import { addTaskOptions, pickTaskFlags, resolveTasks, type TaskOptions } from './task-options.ts';

interface GenerateOptions extends TaskOptions {
  readonly out: string;
  readonly key?: string;
  readonly json?: true;
  readonly dryRun?: true;
}

export function generateCommand(): Command {
  const command = new Command('generate').description('Writes tasks, one per line, and a manifest of their hashes');
  return addTaskOptions(command)
    .option('--out <file>', 'where to write; - writes the tasks to stdout, without a manifest', 'tasks.jsonl')
    .option('--key <hex>', 'also write the answers under this run key to a file of their own')
    .option('--dry-run', 'print the plan and its size')
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand(async (options: GenerateOptions) => {
        const tasks = resolveTasks(options);
        if (options.dryRun === true) printPlan(tasks, options);
        else if (options.out === '-') await printTasks(tasks);
        else await writeFiles(tasks, options);
      }),
    );
}

function printPlan(tasks: TaskSelection, { out, json }: GenerateOptions): void {
  const count = tasks.count();
  if (json === true) printJson({ dry_run: true, tasks: count, out, generator: generatorVersion });
  else printLine(`would write ${count} tasks of generator ${generatorVersion} to ${out}`);
}

/** The tasks alone on stdout; a reader that goes away ends the program (`endQuietlyOnClosedPipe`). */
async function printTasks(tasks: Iterable<Task>): Promise<void> {
  await pipeline(Readable.from(chunksOf(tasks)), process.stdout, { end: false, signal: interruptSignal() });
}

const chunkLength = 65_536;

function* chunksOf(tasks: Iterable<Task>): Generator<string, void, undefined> {
  let chunk = '';
  for (const task of tasks) {
    chunk += formatTaskLine(task);
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

async function writeFiles(tasks: TaskSelection, options: GenerateOptions): Promise<void> {
  const { out, json } = options;
  const key = options.key === undefined ? null : parseKeyFlag(options.key);
  const report = makeProgress();
  const flags = { ...pickTaskFlags(options) };
  const { count, manifest } = await writeTasks(tasks, out, { flags, onProgress: report, signal: interruptSignal() });
  const answers = key === null ? null : answersPath(out);
  if (key !== null && answers !== null) await writeAnswers(tasks, key, answers);
  if (json === true) return printJson({ tasks: count, out, manifest, answers, generator: generatorVersion });
  printLine(`wrote ${count} tasks; manifest: ${manifest}${answers === null ? '' : `; answers: ${answers}`}`);
  printLine(out);
}

/** Says how far it is every 10,000 tasks. */
function makeProgress(): (count: number) => void {
  let said = 0;
  return (count) => {
    if (count - said < 10_000) return;
    said = count;
    progress(`${count} tasks`);
  };
}
