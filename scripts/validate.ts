import { Command } from 'commander';
import { createGym } from '../env/index.ts';
import { type GridFlags, type TaskSelection, type ValidationReport, validateTasks } from '../generator/index.ts';
import { interruptSignal, printJson, printLine, printTable, progress, runCommand, setExitCode } from './output.ts';
import { addTaskOptions, countParser, resolveTasks, type TaskOptions } from './task-options.ts';

interface ValidateCommandOptions extends TaskOptions {
  readonly json?: true;
  readonly dryRun?: true;
  readonly maxConcurrent: number;
}

/** Every cell of the published grid, once. */
const defaults: GridFlags = { depths: 'D0-D4', ops: '1,2,4,8,16', seeds: '0' };

export function validateCommand(): Command {
  const command = new Command('validate')
    .description('Proves tasks on real tmux, without a model')
    .argument('[tasks...]', 'task ids, files of tasks or folders; as --tasks');
  return addTaskOptions(command)
    .option('--max-concurrent <count>', 'episodes at once', countParser('--max-concurrent'), 8)
    .option('--dry-run', 'print the plan and its size')
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand(async (words: readonly string[], options: ValidateCommandOptions) => {
        const named = [...words, ...(options.tasks ?? [])];
        const tasks = resolveTasks({ ...options, ...(named.length === 0 ? {} : { tasks: named }) }, defaults);
        if (options.dryRun === true) printPlan(tasks, options);
        else await runValidation(tasks, options);
      }),
    );
}

function printPlan(tasks: TaskSelection, { json }: ValidateCommandOptions): void {
  const count = tasks.count();
  if (json === true) printJson({ dry_run: true, tasks: count });
  else printLine(`would validate ${count} tasks, with one episode per solution`);
}

async function runValidation(tasks: TaskSelection, { json, maxConcurrent }: ValidateCommandOptions): Promise<void> {
  const total = tasks.count();
  const start = performance.now();
  await using gym = await createGym();
  let done = 0;
  const onTask = () => {
    done += 1;
    if (done % 25 === 0) progress(`${done} of ${total} tasks`);
  };
  const report = await validateTasks(tasks, gym, { concurrency: maxConcurrent, onTask, signal: interruptSignal() });
  const wall = (performance.now() - start) / 1000;
  if (json === true) printJson({ ...report, wall_s: Number(wall.toFixed(3)) });
  else printReport(report, wall);
  if (report.failed.length > 0) setExitCode(1);
}

function printReport({ tasks, ok, failed }: ValidationReport, wall: number): void {
  if (failed.length > 0) {
    printTable(failed, [
      { title: 'task', value: ({ task }) => task },
      { title: 'check', value: ({ check }) => check },
      { title: 'expected', value: ({ expected }) => expected },
      { title: 'found', value: ({ found }) => found },
    ]);
    printLine('');
  }
  printLine(`${tasks} tasks: ${ok} ok, ${tasks - ok} failed, in ${wall.toFixed(1)} s`);
}
