import { countParameters, type ModelShape } from './model-shape.ts';
import { gigabyte } from './serving-memory.ts';

/** One training step of `muxgym-train`: float32, AdamW, no gradient checkpointing. */
export interface TrainingStep {
  readonly command: 'sft' | 'grpo';
  /** Rows of a step that go through the model at once. */
  readonly rows: number;
  /** Of a row: prompt and answer. */
  readonly tokens: number;
  /** A copy of the model that does not learn, for the KL term. */
  readonly reference: boolean;
}

/** In bytes. */
export interface TrainingMemory {
  readonly parameters: number;
  /** Weights, gradients and the two moments of AdamW. */
  readonly stateBytes: number;
  readonly referenceBytes: number;
  readonly activationBytes: number;
  readonly logitBytes: number;
  readonly overheadBytes: number;
  readonly needBytes: number;
  readonly fits: boolean;
}

const number = 4;

/** Memory of a training step on one GPU of `memoryGb`; `overheadGb` of it is the runtime's. */
export function planTrainingMemory(
  shape: ModelShape,
  step: TrainingStep,
  { memoryGb, overheadGb }: { readonly memoryGb: number; readonly overheadGb: number },
): TrainingMemory {
  const parameters = countParameters(shape);
  const tokens = step.rows * step.tokens;
  const stateBytes = 4 * number * parameters;
  const referenceBytes = step.reference ? number * parameters : 0;
  const activationBytes = tokens * shape.layers * activationsPerToken(shape) * number;
  const logitBytes = 3 * tokens * shape.vocabulary * number; // logits, their softmax and their gradient
  const overheadBytes = overheadGb * gigabyte;
  const needBytes = stateBytes + referenceBytes + activationBytes + logitBytes + overheadBytes;
  const fits = needBytes <= memoryGb * gigabyte;
  return {
    ...{ parameters, stateBytes, referenceBytes, activationBytes, logitBytes, overheadBytes, needBytes, fits },
  };
}

/**
 * Numbers that one layer keeps for its backward pass: inputs and outputs of two norms, of attention and of its
 * projections, and four of the feed-forward width. Attention itself recomputes its square.
 */
function activationsPerToken({ hidden, intermediate, heads, kvHeads, headSize }: ModelShape): number {
  return 5 * hidden + (heads + 2 * kvHeads) * headSize + 4 * intermediate;
}
