import { Command, Option } from 'commander';
import { InputError } from '../../env/index.ts';
import { readLadder } from '../../rollout/index.ts';
import { numberOption } from '../number-option.ts';
import { reportError, runCommand, setExitCode } from '../output.ts';
import { runProgram } from '../program.ts';
import { type LadderPlanRow, planLadder } from './ladder-plan.ts';
import { findModelShape } from './model-shape.ts';
import { printLadderPlan, printTrainingPlan } from './print-plan.ts';
import { type Assumptions, defaultAssumptions } from './serving-time.ts';
import { planTrainingMemory, type TrainingStep } from './training-memory.ts';

interface HardwareFlags {
  readonly memoryGb: number;
  readonly gpus: number;
  readonly overheadGb: number;
  readonly modelConfig: ReadonlyMap<string, string>;
  readonly json?: true;
}

const program = new Command('scripts/gpu/plan').description('What models take of a GPU, before anything is started');
addHardwareOptions(program.command('ladder'))
  .description('memory, time and cost of serving each model of a ladder')
  .argument('<ladder.toml>', 'models and sweeps')
  .addOption(assumption('--bandwidth-gb-per-s <number>', 'memory bandwidth of one GPU', 'bandwidthGbPerS'))
  .addOption(assumption('--teraflops <number>', 'dense bfloat16 rate of one GPU', 'teraflops'))
  .addOption(assumption('--efficiency <share>', 'of both that is reached', 'efficiency', 1))
  .addOption(assumption('--step-floor-ms <number>', 'least time of a decoding step', 'stepFloorMs'))
  .addOption(assumption('--load-gb-per-s <number>', 'rate at which weights arrive', 'loadGbPerS'))
  .addOption(assumption('--start-seconds <number>', "vLLM's start besides loading", 'startSeconds'))
  .addOption(assumption('--turns <number>', 'answers in an episode (one in the loop "script")', 'turns'))
  .addOption(assumption('--answer-tokens <number>', 'of one answer', 'answerTokens'))
  .addOption(assumption('--prompt-tokens <number>', 'of the first prompt', 'promptTokens'))
  .addOption(assumption('--observation-tokens <number>', 'of what comes back after an answer', 'observationTokens'))
  .addOption(assumption('--price-per-hour <number>', 'of one GPU', 'pricePerHour'))
  .action(runCommand(showLadderPlan));
addHardwareOptions(program.command('train'))
  .description('memory of a training step of muxgym-train: float32, AdamW, no gradient checkpointing')
  .argument('<model>', 'a name of the Hub, or a folder with its config.json')
  .addOption(count('--sft-rows <count>', 'rows of an SFT step', 4))
  .addOption(count('--grpo-rows <count>', 'completions of a GRPO step', 8))
  .addOption(count('--row-tokens <count>', 'of a row, prompt and answer', 512))
  .option('--no-kl', 'without a copy of the model for the KL term')
  .action(runCommand(showTrainingPlan));
await runProgram(program, process.argv.slice(2));

function addHardwareOptions(command: Command): Command {
  return command
    .addOption(numberOption('--memory-gb <number>', 'of one GPU, in 10^9 bytes', { min: 1 }).default(80))
    .addOption(count('--gpus <count>', 'in the machine', 1))
    .addOption(
      numberOption('--overhead-gb <number>', 'of each GPU for activations, CUDA graphs and runtime', {
        min: 0,
      }).default(2),
    )
    .addOption(
      new Option('--model-config <name=file>', 'config.json of a model that the table does not know; repeatable')
        .argParser(addModelConfig)
        .default(new Map(), 'none'),
    )
    .option('--json', 'one JSON object');
}

function count(flags: string, text: string, value: number): Option {
  return numberOption(flags, text, { min: 1 }).default(value);
}

function assumption(flags: string, text: string, name: keyof Assumptions, max = 1e9): Option {
  return numberOption(flags, text, { min: 0.001, max }).default(defaultAssumptions[name]);
}

function addModelConfig(word: string, before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = word.indexOf('=');
  if (at > 0) return new Map([...before, [word.slice(0, at), word.slice(at + 1)]]);
  const expected = 'NAME=FILE';
  throw new InputError({ code: 'E_USAGE', what: 'Cannot use --model-config', expected, found: JSON.stringify(word) });
}

function showLadderPlan(file: string, flags: HardwareFlags & Assumptions): void {
  const { memoryGb, gpus, overheadGb, modelConfig, json, ...assumptions } = flags;
  const hardware = { memoryGb, gpus, overheadGb };
  const rows = planLadder(readLadder(file), { hardware, assumptions, configs: modelConfig });
  printLadderPlan({ file, rows, hardware, assumptions }, json === true);
  refuse(rows);
}

/** Names each model that cannot be served on standard error. */
function refuse(rows: readonly LadderPlanRow[]): void {
  for (const { refusal } of rows) if (refusal !== null) reportRefusal(new InputError(refusal));
}

interface TrainFlags extends HardwareFlags {
  readonly sftRows: number;
  readonly grpoRows: number;
  readonly rowTokens: number;
  readonly kl: boolean;
}

function showTrainingPlan(model: string, flags: TrainFlags): void {
  const { sftRows, grpoRows, rowTokens: tokens, kl, memoryGb } = flags;
  const shape = findModelShape(model, flags.modelConfig);
  const steps: readonly TrainingStep[] = [
    { command: 'sft', rows: sftRows, tokens, reference: false },
    { command: 'grpo', rows: grpoRows, tokens, reference: kl },
  ];
  const rows = steps.map((step) => ({ step, memory: planTrainingMemory(shape, step, flags) }));
  printTrainingPlan({ model, memoryGb, rows }, flags.json === true);
  for (const { step, memory } of rows) {
    if (memory.fits) continue;
    reportRefusal(
      new InputError({
        code: 'E_MEMORY',
        what: `Cannot train "${model}" with ${step.command}`,
        expected: `at most ${memoryGb} GB`,
        found: `${(memory.needBytes / 1e9).toFixed(1)} GB`,
        hint: 'take a smaller model, or fewer rows a step (group_size, prompts_per_step, batch_size)',
      }),
    );
  }
}

/** As any usage error, but the plan stays the only JSON object on stdout. */
function reportRefusal(error: InputError): void {
  reportError(error);
  setExitCode(2);
}
