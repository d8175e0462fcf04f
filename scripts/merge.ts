import { Command } from 'commander';
import { formatHeading, formatText, makeGrid, mergeRuns } from '../rollout/index.ts';
import { printJson, printLine, progress, runCommand, setExitCode } from './output.ts';

interface MergeFlags {
  readonly out: string;
  readonly clean?: true;
  readonly json?: true;
}

export function mergeCommand(): Command {
  return new Command('merge')
    .description('Makes one run of several that differ in their tasks only, such as the shards of one')
    .argument('<runs...>', 'run folders; they are only read')
    .requiredOption('--out <folder>', 'the run folder to make')
    .option('--clean', 'start over in a folder that holds a run')
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand(async (runs: readonly string[], { out, clean, json }: MergeFlags) => {
        const summary = await mergeRuns({ runs, folder: out, clean: clean === true, onProgress: progress });
        if (summary.totals.masked > 0) setExitCode(1);
        if (json === true) return printJson(summary);
        printLine(formatHeading(summary));
        printLine('');
        printLine(formatText(makeGrid(summary)));
        printLine('');
        printLine(summary.report);
      }),
    );
}
