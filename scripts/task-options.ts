import { type Command, Option } from 'commander';
import { InputError } from '../env/index.ts';
import {
  type GridFlags,
  publishedGrid,
  selectTasks,
  type TaskFlags,
  type TaskSelection,
  taskFlagNames,
} from '../generator/index.ts';

/** The flags of `addTaskOptions` as commander hands them over; a command's own options may extend it. */
export type TaskOptions = TaskFlags;

/** Adds the flags by which every command takes tasks. Values are checked by `resolveTasks`, not by commander. */
export function addTaskOptions(command: Command): Command {
  return command
    .option('--suite <name>', 'suite of generated tasks (default: cliff)')
    .option('--depths <range>', `depths, such as D0-D4 or D0,D2 (default: ${publishedGrid.depths})`)
    .option('--ops <range>', `op-counts from 1 to 64, such as 1,2,4 or 1-64 (default: ${publishedGrid.ops})`)
    .option('--seeds <range>', `seeds, such as 0-2 (default: ${publishedGrid.seeds})`)
    .option('--kinds <words>', 'event tasks: kinds of events, such as bell,death')
    .option('--levels <range>', 'event tasks: levels, such as E0-E4')
    .option('--counts <range>', 'event tasks: events in a task, from 1 to 8')
    .option('--arms <words>', 'event tasks: any of event,none,told')
    .option('--delegations <words>', 'event tasks: any of solo,one,nested')
    .option('--profile <name>', 'cliff: fair, or classic for the published conditions (default: fair)')
    .addOption(
      new Option(
        '--tasks <ids|file|folder>',
        'task ids with commas between, a file of tasks or a folder of them; repeatable',
      ).argParser((word: string, before: readonly string[] | undefined) => [...(before ?? []), word]),
    )
    .option('--split <file:name>', 'only tasks of this frozen split, such as cliff:train')
    .addOption(new Option('--limit <count>', 'at most this many tasks').argParser(countParser('--limit')))
    .option('--shard <i/N>', 'every N-th task, from the i-th (counted from 1)');
}

/**
 * The tasks that the flags choose, as an iterable that can be walked again and again; `defaults` replaces the
 * suite's own where no range is given. Throws an InputError as `selectTasks` does.
 */
export function resolveTasks(options: TaskOptions, defaults: GridFlags = {}): TaskSelection {
  return selectTasks(pickTaskFlags(options), defaults);
}

/** The task flags among a command's options, without those that were not given. */
export function pickTaskFlags(options: TaskOptions): TaskFlags {
  return Object.fromEntries(
    taskFlagNames.map((name) => [name, options[name]]).filter(([, value]) => value !== undefined),
  );
}

/** For commander: reads a whole number from `min`. The parser throws an InputError (`E_NUMBER`) that names the flag. */
export function countParser(flag: string, min = 1): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= min && Number.isSafeInteger(count)) return count;
    throw new InputError({
      code: 'E_NUMBER',
      what: 'Cannot read a number',
      where: flag,
      expected: `a whole number from ${min}`,
      found: JSON.stringify(text),
    });
  };
}
