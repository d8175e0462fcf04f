import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type DemoPlan, servedSplit, type TrainingPlan } from './demo-plan.ts';
import { muxgym, runJson, type Service, startService, venv } from './demo-process.ts';
import type { Stage } from './demo-table.ts';

const sftMetrics = z.object({
  rows: z.int(),
  steps: z.array(z.object({ loss: z.number() })).min(1),
  weight_change_l2: z.number(),
  train_s: z.number(),
});
const grpoMetrics = z.object({
  steps: z.array(z.object({ reward_mean: z.number().nullable(), reward_spread: z.number().nullable() })).min(1),
  completions: z.int(),
  format_failures: z.int(),
  masked: z.int(),
  weight_change_l2: z.number(),
  weight_change_max: z.number(),
  train_s: z.number(),
});

/** What the three training runs measured. */
export interface Training {
  readonly sft: Readonly<z.infer<typeof sftMetrics>>;
  readonly grpo: Readonly<z.infer<typeof grpoMetrics>>;
  /** The same steps with a constant reward and no KL term. */
  readonly control: Readonly<z.infer<typeof grpoMetrics>>;
}

export interface Addresses {
  readonly zeromq: string;
  readonly grpc: string;
}

export interface TrainingJob {
  readonly plan: DemoPlan;
  readonly folder: string;
  readonly model: string;
  readonly tasks: string;
  readonly say: (text: string) => void;
  readonly showRefusals: (addresses: Addresses) => Promise<readonly string[]>;
  /** Told of each model that can be evaluated: first the one to start from. */
  readonly onModel: (model: Model) => void;
  /** Stops a training that is under way. */
  readonly signal: AbortSignal;
}

/** A checkpoint folder and how far it came. */
export interface Model {
  readonly stage: Stage;
  readonly checkpoint: string;
}

/** Serves the training split, shows that held-out depths are refused, trains SFT, GRPO and its control. */
export async function trainModels(
  job: TrainingJob,
): Promise<{ readonly training: Training; readonly refusals: readonly string[] }> {
  const { plan, folder, model, say, onModel, signal } = job;
  onModel({ stage: 'base', checkpoint: model });
  await using server = await startServer(folder);
  const addresses = readyLine.parse(server.ready);
  say(`the server listens at ${addresses.zeromq} and ${addresses.grpc}, rung ${addresses.rung}`);
  const refusals = await job.showRefusals(addresses);
  for (const refusal of refusals) say(`refused: ${refusal}`);

  const train = async (name: 'sft' | 'grpo' | 'control', start: string) => {
    const command = name === 'sft' ? 'sft' : 'grpo';
    say(`${name}: muxgym-train ${command} ${plan[name].config}`);
    const where = ['--model', start, '--tasks', job.tasks, '--address', addresses.zeromq];
    return trainOnce(command, join(folder, name), [...where, ...planFlags(plan[name])], signal);
  };
  const sft = sftMetrics.parse(await train('sft', model));
  say(`sft: ${sft.rows} rows, loss ${sft.steps[0]?.loss.toFixed(3)} to ${sft.steps.at(-1)?.loss.toFixed(3)}`);
  const tuned = join(folder, 'sft', 'model');
  onModel({ stage: 'sft', checkpoint: tuned });
  const grpo = grpoMetrics.parse(await train('grpo', tuned));
  onModel({ stage: 'grpo', checkpoint: join(folder, 'grpo', 'model') });
  for (const line of grpoLines(grpo)) say(`grpo: ${line}`);
  const control = grpoMetrics.parse(await train('control', tuned));
  say(`control, constant reward without KL: ${movement(control)}`);
  return { training: { sft, grpo, control }, refusals };
}

const readyLine = z.object({ zeromq: z.string(), grpc: z.string(), rung: z.string() });

function startServer(folder: string): Promise<Service> {
  const addresses = ['--bind', 'tcp://127.0.0.1:0', '--grpc', '127.0.0.1:0'];
  return startService(muxgym('serve', ...addresses, '--split', servedSplit, '--run', join(folder, 'served'), '--json'));
}

function planFlags({ config, set }: TrainingPlan): readonly string[] {
  const changes = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]);
  return [config, ...changes];
}

/**
 * A run that finished stands in its folder and is read again; its config names the port of a server that is gone, so
 * that the trainer itself would refuse it.
 */
async function trainOnce(
  command: 'sft' | 'grpo',
  out: string,
  flags: readonly string[],
  signal: AbortSignal,
): Promise<unknown> {
  const metrics = join(out, 'metrics.json');
  if (existsSync(metrics)) return JSON.parse(await readFile(metrics, 'utf8'));
  await rm(out, { recursive: true, force: true });
  return runJson(venv('muxgym-train', command, ...flags, '--out', out, '--json'), `train ${command}`, signal);
}

/** One line per step, then what became of the weights. */
export function grpoLines({ steps, ...rest }: Training['grpo']): readonly string[] {
  const number = (value: number | null) => value?.toFixed(3) ?? 'none';
  return [
    ...steps.map(
      ({ reward_mean, reward_spread }, index) =>
        `step ${index + 1}: mean reward ${number(reward_mean)}, spread within groups ${number(reward_spread)}`,
    ),
    `${rest.completions} completions, ${rest.format_failures} without a script, ${rest.masked} masked; ${movement(rest)}`,
  ];
}

/** What became of the weights. */
export function movement(metrics: { readonly weight_change_l2: number; readonly weight_change_max: number }): string {
  if (metrics.weight_change_max === 0) return 'no weight changed';
  return `weights moved by ${metrics.weight_change_l2.toPrecision(4)} (L2), at most ${metrics.weight_change_max.toExponential(2)}`;
}
