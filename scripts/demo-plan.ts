import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatorVersion } from '../generator/index.ts';
import { checkoutRoot } from './checkout.ts';

/** How much the demo does. What decides a result stands here, and its hash names the folder of the results. */
export interface DemoPlan {
  readonly mode: 'quick' | 'full';
  /** Tasks that training may use: all below the split `train`. */
  readonly train: { readonly depths: string; readonly ops: string; readonly seeds: string };
  /** Tasks of the evaluations; no seed is shared with training. */
  readonly eval: { readonly depths: string; readonly ops: string; readonly seeds: string };
  /** Of an answer in the evaluations. A loop that solves a D4 task has about 110, any other task's at most 65. */
  readonly maxTokens: number;
  readonly sft: TrainingPlan;
  readonly grpo: TrainingPlan;
  /** As many steps of GRPO, in small, with a constant reward and no KL term: they must change no weight. */
  readonly control: TrainingPlan;
}

export interface TrainingPlan {
  /** A file of data/train. */
  readonly config: string;
  /** What differs from it. */
  readonly set: Readonly<Record<string, number | string>>;
}

/** The split that the server holds the trainer to. */
export const servedSplit = 'data/splits/cliff.toml:train';
/** Depths that the split holds out. */
export const heldOutDepths: readonly number[] = [3, 4];

const control = { reward: 'constant', beta: 0, group_size: 2, max_completion_tokens: 16 };

const quick: DemoPlan = {
  mode: 'quick',
  train: { depths: 'D0-D2', ops: '1,2', seeds: '1000-1031' },
  eval: { depths: 'D0-D4', ops: '1,2', seeds: '0-1' },
  maxTokens: 80,
  sft: { config: 'data/train/sft.quick.toml', set: {} },
  grpo: { config: 'data/train/grpo.quick.toml', set: {} },
  control: { config: 'data/train/grpo.quick.toml', set: control },
};

const full: DemoPlan = {
  mode: 'full',
  train: { depths: 'D0-D2', ops: '1-4', seeds: '1000-1063' },
  eval: { depths: 'D0-D4', ops: '1,2,4', seeds: '0-3' },
  maxTokens: 112,
  sft: { config: 'data/train/sft.toml', set: {} },
  grpo: { config: 'data/train/grpo.toml', set: {} },
  control: { config: 'data/train/grpo.toml', set: control },
};

export const demoPlans = { quick, full } as const;

/**
 * `quick-3fa9c1d2`: results of another plan, config or generator get another folder, so that a rerun resumes only its
 * own.
 */
export function planFolder(plan: DemoPlan): string {
  const configs = [plan.sft, plan.grpo, plan.control].map(({ config }) =>
    readFileSync(join(checkoutRoot(), config), 'utf8'),
  );
  const hash = createHash('sha256')
    .update(JSON.stringify([plan, configs, generatorVersion]))
    .digest('hex');
  return `${plan.mode}-${hash.slice(0, 8)}`;
}
