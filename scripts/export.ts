import { Command, Option } from 'commander';
import {
  type ExportFormat,
  type ExportSource,
  exportData,
  exportFormats,
  isRunFolder,
  makeTaskSource,
  readRunSource,
} from '../rollout/index.ts';
import { printJson, printLine, runCommand } from './output.ts';
import { addTaskOptions, resolveTasks, type TaskOptions } from './task-options.ts';

interface ExportFlags extends TaskOptions {
  readonly format: ExportFormat;
  readonly out: string;
  readonly image?: string;
  readonly clean?: true;
  readonly json?: true;
}

export function exportCommand(): Command {
  const command = new Command('export')
    .description('Writes a run or tasks in another format')
    .argument('[source...]', 'a run folder, or tasks as --tasks')
    .addOption(new Option('--format <name>', 'what to write').choices(exportFormats).makeOptionMandatory())
    .requiredOption('--out <folder>', 'a new or empty folder')
    .option('--image <name>', 'the image of exported Harbor tasks (default: muxgym:VERSION)')
    .option('--clean', 'remove what is in the folder first')
    .option('--json', 'one JSON object on stdout at the end');
  return addTaskOptions(command).action(
    runCommand(async (words: readonly string[], flags: ExportFlags) => {
      const { format, out, image, clean } = flags;
      const source = await readSource(words, flags);
      const summary = await exportData({ source, format, folder: out, image, clean: clean === true });
      if (flags.json === true) printJson(summary);
      else {
        for (const [what, count] of Object.entries(summary.written)) printLine(`${count} ${what}`);
        printLine(summary.out);
      }
    }),
  );
}

async function readSource(words: readonly string[], flags: ExportFlags): Promise<ExportSource> {
  const [run, ...others] = words;
  if (run !== undefined && others.length === 0 && isRunFolder(run)) return await readRunSource(run);
  const tasks = [...words, ...(flags.tasks ?? [])];
  return makeTaskSource(resolveTasks(tasks.length === 0 ? flags : { ...flags, tasks }), flags.split ?? null);
}
