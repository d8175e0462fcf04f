import { Command, Option } from 'commander';
import { type Delivery, deliveries, InputError, type Rung, rungs, type Task } from '../env/index.ts';
import {
  formatHeading,
  formatText,
  formatTimeUse,
  makeGrid,
  makePolicy,
  type Price,
  policyForms,
  type RunSummary,
  runEpisodes,
} from '../rollout/index.ts';
import { addModelOptions, type ModelFlags, pickModelOptions } from './model-options.ts';
import { numberOption } from './number-option.ts';
import { interruptSignal, printJson, printLine, progress, runCommand, setExitCode } from './output.ts';
import { parseKeyFlag } from './run-key.ts';
import { addTaskOptions, countParser, pickTaskFlags, resolveTasks, type TaskOptions } from './task-options.ts';

interface EvalOptions extends TaskOptions, ModelFlags {
  readonly policy: string;
  readonly out?: string;
  readonly samples: number;
  readonly maxConcurrent?: number;
  readonly maxModelCalls?: number;
  readonly maxTmux?: number;
  readonly maxAttempts: number;
  readonly maxCost?: number;
  readonly maxTokens?: number;
  readonly timeLimit?: number;
  readonly price?: Price;
  readonly timeout?: number;
  readonly delivery: Delivery;
  readonly clock: 'virtual' | 'wall';
  readonly shaping: boolean;
  readonly key?: string;
  readonly rung?: Rung;
  readonly minRung?: Rung;
  readonly clean?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

export function evalCommand(): Command {
  const command = new Command('eval')
    .description('Plays a policy through tasks and reports how it went; run it again to continue')
    .argument('[tasks...]', 'task ids, files of tasks or folders; as --tasks')
    .requiredOption('--policy <name>', `who plays: ${policyForms.join(', ')}`)
    .option('--out <folder>', 'the run folder');
  addModelOptions(addTaskOptions(command));
  return addRunOptions(command).action(
    runCommand(async (words: readonly string[], options: EvalOptions) => {
      const named = [...words, ...(options.tasks ?? [])];
      const selection = named.length === 0 ? options : { ...options, tasks: named };
      const tasks = [...resolveTasks(selection)];
      if (options.dryRun === true) printPlan(tasks, options);
      else await evaluate(tasks, selection);
    }),
  );
}

function addRunOptions(command: Command): Command {
  return command
    .addOption(countOption('--samples <count>', 'times each task is played, with other secrets each time', 1))
    .addOption(
      new Option('--max-concurrent <count>', 'episodes at once (default: 2 x cores, 32 for a model)').argParser(
        countParser('--max-concurrent'),
      ),
    )
    .addOption(countOption('--max-attempts <count>', 'tries of an episode that the machinery spoils', 3))
    .addOption(numberOption('--timeout <seconds>', 'of one episode, in real time', { min: 0.001 }))
    .addOption(optionalCount('--max-model-calls <count>', 'calls of the model at once (default: one an episode)'))
    .addOption(optionalCount('--max-tmux <count>', 'resets, steps and grades at once (default: 4 x cores, at least 8)'))
    .addOption(numberOption('--max-cost <dollars>', 'stop the run there; a higher limit continues it', { min: 0 }))
    .addOption(optionalCount('--max-tokens <count>', 'stop the run after so many, read and written; as --max-cost'))
    .addOption(
      numberOption('--time-limit <seconds>', 'stop this start there; the same command continues', { min: 0.001 }),
    )
    .addOption(
      new Option('--price <prompt,completion>', 'US dollars for a million tokens, for --max-cost').argParser(
        parsePrice,
      ),
    )
    .addOption(
      new Option('--delivery <mode>', 'how the agent learns of events: it looks, is told, or listens')
        .choices(deliveries)
        .default('poll'),
    )
    .addOption(
      new Option('--clock <kind>', 'virtual: by actions; wall: a tick is a second, and nothing repeats exactly')
        .choices(['virtual', 'wall'])
        .default('virtual'),
    )
    .option('--no-shaping', 'perceiving an event earns nothing by itself')
    .option('--key <hex>', 'the run key (default: a new one, kept in the run folder)')
    .addOption(new Option('--rung <name>', 'use exactly this rung of the isolation ladder').choices(rungs))
    .addOption(new Option('--min-rung <name>', 'refuse to start below this rung').choices(rungs))
    .option('--clean', 'start over in a folder that holds a run')
    .option('--dry-run', 'print the plan and its size')
    .option('--json', 'one JSON object on stdout at the end');
}

function countOption(flags: string, text: string, value: number): Option {
  return new Option(flags, text).argParser(countParser(flags.split(' ')[0] ?? flags)).default(value);
}

function optionalCount(flags: string, text: string): Option {
  return new Option(flags, text).argParser(countParser(flags.split(' ')[0] ?? flags));
}

function parsePrice(text: string): Price {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
  const [prompt = Number.NaN, completion = Number.NaN, ...more] = numbers;
  if (prompt >= 0 && completion >= 0 && more.length === 0) return { prompt, completion };
  throw new InputError({
    code: 'E_NUMBER',
    what: 'Cannot read a price',
    where: '--price',
    expected: 'two numbers with a comma between, such as 0.15,0.60',
    found: JSON.stringify(text),
  });
}

async function evaluate(tasks: readonly Task[], options: EvalOptions): Promise<void> {
  if (options.out === undefined) {
    throw new InputError({
      code: 'E_OUT',
      what: 'Cannot run',
      where: '--out',
      expected: 'a run folder',
      found: 'none',
    });
  }
  const summary = await runEpisodes({
    folder: options.out,
    policy: makePolicy(options.policy, pickModelOptions(options)),
    tasks,
    samples: options.samples,
    maxConcurrent: options.maxConcurrent,
    maxModelCalls: options.maxModelCalls,
    maxTmux: options.maxTmux,
    budget: {
      maxCostUsd: options.maxCost,
      maxTokens: options.maxTokens,
      timeLimitMs: options.timeLimit === undefined ? undefined : options.timeLimit * 1_000,
      price: options.price,
    },
    maxAttempts: options.maxAttempts,
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1_000,
    setting: { delivery: options.delivery, clock: options.clock, shaping: options.shaping },
    clean: options.clean === true,
    runKey: options.key === undefined ? undefined : parseKeyFlag(options.key),
    rung: options.rung,
    minRung: options.minRung,
    split: options.split ?? null,
    selection: Object.fromEntries(Object.entries(pickTaskFlags(options)).map(([key, value]) => [key, String(value)])),
    signal: interruptSignal(),
    onProgress: progress,
  });
  if (options.json === true) printJson(summary);
  else printSummary(summary);
  if (summary.totals.masked > 0) setExitCode(1);
}

function printPlan(tasks: readonly Task[], options: EvalOptions): void {
  const policy = makePolicy(options.policy, pickModelOptions(options));
  const episodes = tasks.length * options.samples;
  const plan = { policy: policy.name, model: policy.model, tasks: tasks.length, samples: options.samples, episodes };
  if (options.json === true) printJson({ dry_run: true, ...plan, out: options.out ?? null });
  else printLine(`would play ${episodes} episodes: ${tasks.length} tasks, ${options.samples} each, by ${policy.name}`);
}

function printSummary(summary: RunSummary): void {
  printLine(formatHeading(summary));
  printLine('');
  printLine(formatText(makeGrid(summary)));
  printLine('');
  if (summary.throughput !== null) {
    const { episodes_per_s, cpu_ms_per_episode, wall_s } = summary.throughput;
    printLine(
      `${episodes_per_s.toFixed(2)} episodes/s, ${cpu_ms_per_episode.toFixed(0)} ms of CPU an episode, ${wall_s.toFixed(1)} s`,
    );
  }
  if (summary.time !== null) printLine(formatTimeUse(summary.time));
  if (!summary.complete) printLine(describeStop(summary.stopped_by));
  printLine(summary.report);
}

function describeStop(limit: RunSummary['stopped_by']): string {
  if (limit === null) return 'not complete: run it again to continue';
  const more = limit === 'time-limit' ? 'run it again' : 'run it again with a higher limit';
  return `stopped by --${limit}: ${more} to continue`;
}
