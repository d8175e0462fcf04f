import { Command } from 'commander';
import { createGym, InputError, type Task } from '../env/index.ts';
import { selectTasks, suiteFolder, type ValidationReport, validateTasks } from '../generator/index.ts';
import { interruptSignal, printJson, printLine, printTable, progress, runCommand, setExitCode } from './output.ts';
import { addTaskOptions, countParser, pickTaskFlags, resolveTasks, type TaskOptions } from './task-options.ts';
import { watchTasks } from './validate-watch.ts';

interface ValidateCommandOptions extends TaskOptions {
  readonly json?: true;
  readonly dryRun?: true;
  readonly watch?: true;
  readonly maxConcurrent: number;
}

/** Tasks that can be walked again and again. */
interface Choice extends Iterable<Task> {
  count(): number;
}

export function validateCommand(): Command {
  const command = new Command('validate')
    .description('Proves tasks on real tmux, without a model')
    .argument(
      '[tasks...]',
      'task ids, files of tasks or folders; as --tasks (default: the cliff grid, the event levels, every task file)',
    );
  return addTaskOptions(command)
    .option('--max-concurrent <count>', 'episodes at once', countParser('--max-concurrent'), 8)
    .option('--watch', 'stay, and validate each task file anew when it changes')
    .option('--dry-run', 'print the plan and its size')
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand(async (words: readonly string[], options: ValidateCommandOptions) => {
        const named = [...words, ...(options.tasks ?? [])];
        if (options.watch === true) await watch(named, options);
        else if (options.dryRun === true) printPlan(chooseTasks(named, options), options);
        else await runValidation(chooseTasks(named, options), options);
      }),
    );
}

/** Without any choice: one seed of the cliff grid, the event levels with every arm, and all tasks of the house. */
function chooseTasks(named: readonly string[], options: ValidateCommandOptions): Choice {
  if (named.length > 0) return resolveTasks({ ...options, tasks: named });
  const { limit, shard, ...flags } = pickTaskFlags(options);
  if (Object.keys(flags).length > 0 || limit !== undefined || shard !== undefined) {
    return resolveTasks(options, { seeds: '0' });
  }
  const all = [
    selectTasks({ depths: 'D0-D4', ops: '1,2,4,8,16', seeds: '0' }),
    selectTasks({ suite: 'events', counts: '2', arms: 'event,none,told', seeds: '0' }),
    selectTasks({ tasks: [suiteFolder] }),
  ];
  return {
    count: () => all.reduce((sum, tasks) => sum + tasks.count(), 0),
    *[Symbol.iterator]() {
      for (const tasks of all) yield* tasks;
    },
  };
}

async function watch(named: readonly string[], { json, maxConcurrent }: ValidateCommandOptions): Promise<void> {
  if (json === true) {
    throw new InputError({
      code: 'E_FLAGS',
      what: 'Cannot watch and print one JSON object at the end',
      where: '--watch --json',
      expected: 'one of them',
    });
  }
  await using gym = await createGym();
  await watchTasks(named.length === 0 ? [suiteFolder] : named, async (tasks) => {
    const start = performance.now();
    const report = await validateTasks(tasks, gym, { concurrency: maxConcurrent, signal: interruptSignal() });
    printReport(report, (performance.now() - start) / 1000);
  });
}

function printPlan(tasks: Choice, { json }: ValidateCommandOptions): void {
  const count = tasks.count();
  if (json === true) printJson({ dry_run: true, tasks: count });
  else printLine(`would validate ${count} tasks, with one episode per solution`);
}

async function runValidation(tasks: Choice, { json, maxConcurrent }: ValidateCommandOptions): Promise<void> {
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
