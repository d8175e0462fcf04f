import { Command, Option } from 'commander';
import { type Rung, rungs } from '../env/index.ts';
import {
  formatText,
  type Ladder,
  type LadderSummary,
  makeLadderTable,
  readLadder,
  runLadder,
} from '../rollout/index.ts';
import { interruptSignal, printJson, printLine, progress, runCommand, setExitCode } from './output.ts';
import { countParser } from './task-options.ts';

interface LadderFlags {
  readonly out?: string;
  readonly baseUrl?: string;
  readonly maxConcurrent?: number;
  readonly rung?: Rung;
  readonly minRung?: Rung;
  readonly prefetch?: true;
  readonly clean?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

export function ladderCommand(): Command {
  return new Command('ladder')
    .description('Serves the models of a list in turn, lets each play the same tasks, and makes one table')
    .argument('<ladder.toml>', 'models and sweeps, such as data/models/qwen2.5.toml')
    .option('--out <folder>', 'one folder for each model; run it again to continue')
    .option('--base-url <url>', 'of a server that runs already and has all models; none is started')
    .option('--prefetch', 'start the next server while the current model plays, where both fit into memory')
    .addOption(
      new Option('--max-concurrent <count>', 'episodes at once (default: the ladder says, or 32)').argParser(
        countParser('--max-concurrent'),
      ),
    )
    .addOption(new Option('--rung <name>', 'use exactly this rung of the isolation ladder').choices(rungs))
    .addOption(new Option('--min-rung <name>', 'refuse to start below this rung').choices(rungs))
    .option('--clean', 'start over in folders that hold runs')
    .option('--dry-run', 'print the plan')
    .option('--json', 'one JSON object on stdout at the end')
    .action(
      runCommand(async (file: string, flags: LadderFlags) => {
        const read = readLadder(file);
        const ladder = flags.prefetch === true ? { ...read, prefetch: true } : read;
        if (flags.dryRun === true) printPlan(ladder, flags);
        else await climb(ladder, flags);
      }),
    );
}

async function climb(ladder: Ladder, flags: LadderFlags): Promise<void> {
  const { out = 'runs/ladder', baseUrl, maxConcurrent, rung, minRung, clean, json } = flags;
  const summary = await runLadder({
    ...{ ladder, folder: out, baseUrl, maxConcurrent, rung, minRung, clean: clean === true },
    signal: interruptSignal(),
    onProgress: progress,
  });
  if (json === true) printJson(summary);
  else printSummary(summary);
  if (!summary.complete) setExitCode(1);
}

function printSummary(summary: LadderSummary): void {
  printLine(formatText(makeLadderTable(summary)));
  printLine('');
  for (const { name, status, failure } of summary.rows) {
    if (failure !== null) printLine(`${name} was skipped: ${failure.code}: ${failure.message}`);
    else if (status === 'unfinished') printLine(`${name} is not finished: run it again to continue`);
  }
  printLine(summary.report);
}

function printPlan({ models, sweeps, prefetch }: Ladder, { json }: LadderFlags): void {
  const plan = { dry_run: true, prefetch, models: models.map(({ name, model }) => ({ name, model })), sweeps };
  if (json === true) printJson(plan);
  else for (const line of describePlan(plan)) printLine(line);
}

function describePlan({ models, sweeps }: Pick<Ladder, 'sweeps'> & { readonly models: readonly Named[] }) {
  return [
    ...models.map(({ name, model }) => `would serve ${name} (${model})`),
    ...sweeps.map(({ name, loop, ...flags }) => `each plays ${name} in loop ${loop}: ${JSON.stringify(flags)}`),
  ];
}

type Named = Pick<Ladder['models'][number], 'name' | 'model'>;
