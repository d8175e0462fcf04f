import { type ErrorFacts, InputError } from '../../env/index.ts';
import { countCacheBytes, countParameters, type ModelShape } from './model-shape.ts';

/** 10^9 bytes, as vendors count. */
export const gigabyte = 1e9;

/** How vLLM is asked to serve a model, as a ladder says it. */
export interface Serving {
  readonly name: string;
  readonly dtype: string;
  readonly maxModelLen: number;
  readonly maxConcurrent: number;
  readonly tensorParallel: number;
  readonly gpuMemoryUtilization: number;
  /** `--quantization fp8`: one byte a weight. */
  readonly quantized: boolean;
  /** `--kv-cache-dtype fp8`: one byte a number of the cache. */
  readonly cacheQuantized: boolean;
}

export interface Hardware {
  /** Of one GPU, in GB of 10^9 bytes. */
  readonly memoryGb: number;
  readonly gpus: number;
  /** Of each GPU, kept for activations, CUDA graphs and the runtime. */
  readonly overheadGb: number;
}

/** Memory of one served model, summed over its GPUs, in bytes. */
export interface ServingMemory {
  readonly parameters: number;
  readonly weightBytes: number;
  readonly cacheBytesPerToken: number;
  /** For all `max_concurrent` conversations at their full length. */
  readonly cacheBytes: number;
  readonly overheadBytes: number;
  readonly needBytes: number;
  readonly budgetBytes: number;
  /** Conversations of full length that the cache holds at once. */
  readonly sequencesThatFit: number;
  readonly verdict: 'fits' | 'fewer at once' | 'refused';
}

/** What serving takes against what the GPUs give: memory x utilization x tensor parallelism. */
export function planServingMemory(shape: ModelShape, serving: Serving, hardware: Hardware): ServingMemory {
  const { maxModelLen, maxConcurrent, tensorParallel, gpuMemoryUtilization } = serving;
  const parameters = countParameters(shape);
  const weightBytes = parameters * (serving.quantized ? 1 : bytesOf(serving));
  const cacheBytesPerToken =
    countCacheBytes(shape, serving.cacheQuantized ? 1 : bytesOf(serving)) * repeatedHeads(shape, tensorParallel);
  const overheadBytes = hardware.overheadGb * gigabyte * tensorParallel;
  const budgetBytes = hardware.memoryGb * gigabyte * gpuMemoryUtilization * tensorParallel;
  const sequenceBytes = cacheBytesPerToken * maxModelLen;
  const cacheBytes = sequenceBytes * maxConcurrent;
  const room = budgetBytes - weightBytes - overheadBytes;
  const sequencesThatFit = tensorParallel > hardware.gpus ? 0 : Math.max(0, Math.floor(room / sequenceBytes));
  const verdict = sequencesThatFit === 0 ? 'refused' : sequencesThatFit < maxConcurrent ? 'fewer at once' : 'fits';
  return {
    ...{ parameters, weightBytes, cacheBytesPerToken, cacheBytes, overheadBytes, budgetBytes },
    ...{ needBytes: weightBytes + cacheBytes + overheadBytes, sequencesThatFit, verdict },
  };
}

const numberBytes: Readonly<Record<string, number>> = {
  auto: 2, // all models of the table are stored in bfloat16
  bfloat16: 2,
  half: 2,
  float16: 2,
  float: 4,
  float32: 4,
};

function bytesOf({ name, dtype }: Serving): number {
  const bytes = numberBytes[dtype];
  if (bytes !== undefined) return bytes;
  const facts = { code: 'E_MODEL_SHAPE', what: 'Cannot tell the memory of a model', where: `${name}: dtype` };
  throw new InputError({ ...facts, expected: Object.keys(numberBytes).join(', '), found: dtype });
}

/** Where there are more GPUs than heads of keys and values, vLLM keeps a head on several. */
function repeatedHeads({ kvHeads }: ModelShape, tensorParallel: number): number {
  return Math.max(1, tensorParallel / kvHeads);
}

/** Why a model is refused, by name. */
export function explainRefusal(serving: Serving, memory: ServingMemory, hardware: Hardware): ErrorFacts {
  const { name, maxModelLen, tensorParallel, gpuMemoryUtilization } = serving;
  const gb = (bytes: number) => `${(bytes / gigabyte).toFixed(1)} GB`;
  const common = { code: 'E_MEMORY', what: `Cannot serve "${name}"` };
  if (tensorParallel > hardware.gpus) {
    const [expected, found] = [`${tensorParallel} GPUs (tensor_parallel)`, String(hardware.gpus)];
    return { ...common, expected, found, hint: 'lower tensor_parallel, or take a machine with more GPUs' };
  }
  const { weightBytes, overheadBytes, budgetBytes, cacheBytesPerToken } = memory;
  const sequence = cacheBytesPerToken * maxModelLen;
  return {
    ...common,
    expected: `at most ${gb(budgetBytes)} (${hardware.memoryGb} GB x ${gpuMemoryUtilization} x ${tensorParallel})`,
    found: `${gb(weightBytes + overheadBytes + sequence)}: ${gb(weightBytes)} of weights, ${gb(overheadBytes)} beside them, ${gb(sequence)} of cache for one conversation of ${maxModelLen} tokens`,
    hint: 'raise tensor_parallel, lower max_model_len, add "--quantization", "fp8" to extra_args, or leave the model out',
  };
}
