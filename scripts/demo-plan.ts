import { createHash } from 'node:crypto';
import { generatorVersion } from '../generator/index.ts';

/** How much the demo does. What decides a result stands here, and its hash names the folder of the results. */
export interface DemoPlan {
  readonly mode: 'quick' | 'full';
  /** Tasks that training may use: all below the split `train`. */
  readonly train: { readonly depths: string; readonly ops: string; readonly seeds: string };
  /** Tasks of the evaluations; no seed is shared with training. */
  readonly eval: { readonly depths: string; readonly ops: string; readonly seeds: string };
  readonly maxTokens: number;
  readonly sft: Readonly<Record<string, number | string>>;
  readonly grpo: Readonly<Record<string, number | string>>;
  /** The control of GRPO: a constant reward and no KL term, which must change no weight. */
  readonly control: Readonly<Record<string, number | string>>;
}

/** The split that the server holds the trainer to. */
export const servedSplit = 'data/splits/cliff.toml:train';
/** Depths that the split holds out. */
export const heldOutDepths: readonly number[] = [3, 4];

const quick: DemoPlan = {
  mode: 'quick',
  train: { depths: 'D0-D2', ops: '1,2', seeds: '1000-1031' },
  eval: { depths: 'D0-D4', ops: '1,2', seeds: '0-1' },
  maxTokens: 96,
  sft: { rows: 64, epochs: 1 },
  grpo: { steps: 1, prompts_per_step: 2, group_size: 4 },
  control: { steps: 1, prompts_per_step: 1, group_size: 4, reward: 'constant', beta: 0 },
};

const full: DemoPlan = {
  mode: 'full',
  train: { depths: 'D0-D2', ops: '1-4', seeds: '1000-1063' },
  eval: { depths: 'D0-D4', ops: '1,2,4', seeds: '0-3' },
  maxTokens: 160,
  sft: { rows: 192, epochs: 1 },
  grpo: { steps: 3, prompts_per_step: 2, group_size: 8 },
  control: { steps: 1, prompts_per_step: 2, group_size: 4, reward: 'constant', beta: 0 },
};

export const demoPlans = { quick, full } as const;

/** `quick-3fa9c1d2`: results of another plan or generator get another folder, so that a rerun resumes only its own. */
export function planFolder(plan: DemoPlan): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([plan, generatorVersion]))
    .digest('hex');
  return `${plan.mode}-${hash.slice(0, 8)}`;
}
