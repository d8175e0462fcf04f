import { type ErrorFacts, InputError } from '../../env/index.ts';
import { selectTasks } from '../../generator/index.ts';
import type { Ladder } from '../../rollout/index.ts';
import { findModelShape } from './model-shape.ts';
import {
  explainRefusal,
  type Hardware,
  planServingMemory,
  type Serving,
  type ServingMemory,
} from './serving-memory.ts';
import { type Assumptions, estimateServingTime, type ServingTime, type Workload } from './serving-time.ts';

/** Memory, time and cost of one model of a ladder. `refusal` says why it cannot be served; then it takes no time. */
export interface LadderPlanRow {
  readonly serving: Serving;
  readonly memory: ServingMemory;
  readonly time: ServingTime | null;
  readonly refusal: ErrorFacts | null;
}

export interface LadderPlanOptions {
  readonly hardware: Hardware;
  readonly assumptions: Assumptions;
  /** Files with the config of models that the table does not know. */
  readonly configs: ReadonlyMap<string, string>;
}

/**
 * What each model of a ladder would take. Throws an InputError for a model of unknown shape (`E_MODEL_SHAPE`) and for
 * sweeps whose tasks cannot be chosen.
 */
export function planLadder({ models, sweeps }: Ladder, options: LadderPlanOptions): readonly LadderPlanRow[] {
  const work = sweeps.map(({ name, samples, loop, temperature, answer_tokens, ...flags }): Workload => {
    return { loop, episodes: samples * selectTasks(flags).count() };
  });
  return models.map((entry) => planEntry(entry, work, options));
}

type Entry = Ladder['models'][number];

function planEntry(entry: Entry, work: readonly Workload[], options: LadderPlanOptions): LadderPlanRow {
  const { hardware, assumptions, configs } = options;
  const serving = readServing(entry);
  const shape = findModelShape(entry.model, configs);
  const memory = planServingMemory(shape, serving, hardware);
  if (memory.verdict === 'refused') {
    return { serving, memory, time: null, refusal: explainRefusal(serving, memory, hardware) };
  }
  const time = estimateServingTime({ shape, serving, memory, work, assumptions });
  return { serving, memory, time, refusal: null };
}

/** vLLM's own defaults where the ladder says nothing; without a length, the 32,768 tokens of these models. */
function readServing(entry: Entry): Serving {
  const extra = entry.extra_args ?? [];
  return {
    name: entry.name,
    dtype: entry.dtype ?? 'auto',
    maxModelLen: entry.max_model_len ?? 32_768,
    maxConcurrent: entry.max_concurrent ?? 32,
    tensorParallel: entry.tensor_parallel ?? 1,
    gpuMemoryUtilization: readUtilization(entry.name, findArgument(extra, '--gpu-memory-utilization')),
    quantized: findArgument(extra, '--quantization') === 'fp8',
    cacheQuantized: findArgument(extra, '--kv-cache-dtype')?.startsWith('fp8') === true,
  };
}

/** The value behind a flag, as `--flag value` or `--flag=value`; the last one wins. */
function findArgument(args: readonly string[], flag: string): string | undefined {
  const at = args.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  const word = args[at] ?? '';
  return word === flag ? args[at + 1] : word.slice(flag.length + 1);
}

function readUtilization(name: string, text = '0.9'): number {
  const share = Number(text);
  if (share > 0 && share <= 1) return share;
  throw new InputError({
    code: 'E_LADDER',
    what: 'Cannot read a ladder of models',
    where: `${name}: extra_args: --gpu-memory-utilization`,
    expected: 'a number above 0, at most 1',
    found: JSON.stringify(text),
  });
}
