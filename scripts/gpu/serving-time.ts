import type { ModelShape } from './model-shape.ts';
import { gigabyte, type Serving, type ServingMemory } from './serving-memory.ts';

/** What an estimate of time rests on; each has a flag. */
export interface Assumptions {
  /** Memory bandwidth of one GPU. @default 3350, an H100 SXM */
  readonly bandwidthGbPerS: number;
  /** Dense bfloat16 rate of one GPU. @default 989, an H100 SXM */
  readonly teraflops: number;
  /** Share of both that is reached. @default 0.5 */
  readonly efficiency: number;
  /** A step of decoding never takes less: launches and sampling. @default 8 */
  readonly stepFloorMs: number;
  /** Weights from the Hub or a disk. @default 0.5 */
  readonly loadGbPerS: number;
  /** vLLM's start besides loading. @default 90 */
  readonly startSeconds: number;
  /** Answers of a model in one episode; in the loop "script" it is one. @default 5 */
  readonly turns: number;
  /** Tokens of one answer. @default 120 */
  readonly answerTokens: number;
  /** Tokens of the first prompt. @default 700 */
  readonly promptTokens: number;
  /** Tokens of what comes back after an answer. @default 200 */
  readonly observationTokens: number;
  /** @default 3 */
  readonly pricePerHour: number;
}

export const defaultAssumptions: Assumptions = {
  bandwidthGbPerS: 3_350,
  teraflops: 989,
  efficiency: 0.5,
  stepFloorMs: 8,
  loadGbPerS: 0.5,
  startSeconds: 90,
  turns: 5,
  answerTokens: 120,
  promptTokens: 700,
  observationTokens: 200,
  pricePerHour: 3,
};

export interface Workload {
  readonly loop: string;
  readonly episodes: number;
}

export interface ServingTime {
  readonly episodes: number;
  /** Decoded by all conversations together. */
  readonly tokensPerSecond: number;
  readonly seconds: number;
  readonly cost: number;
}

export interface TimeQuestion {
  readonly shape: ModelShape;
  readonly serving: Serving;
  readonly memory: ServingMemory;
  readonly work: readonly Workload[];
  readonly assumptions: Assumptions;
}

/**
 * The roofline of each phase. Decoding reads all weights and the cache of the batch once a step; prompts cost two
 * operations a parameter and token, each token once since prefixes are cached. The gym's own time is not in it: episodes
 * wait for the model, not the other way round.
 */
export function estimateServingTime(question: TimeQuestion): ServingTime {
  const { memory, work, assumptions } = question;
  const { startSeconds, loadGbPerS, pricePerHour } = assumptions;
  const load = memory.weightBytes / (loadGbPerS * gigabyte);
  const parts = work.map((one) => estimateWorkload(question, one));
  const seconds = startSeconds + load + parts.reduce((sum, part) => sum + part.seconds, 0);
  const decoded = parts.reduce((sum, part) => sum + part.decoded, 0);
  const decoding = parts.reduce((sum, part) => sum + part.decoding, 0);
  return {
    episodes: work.reduce((sum, { episodes }) => sum + episodes, 0),
    tokensPerSecond: decoding === 0 ? 0 : decoded / decoding,
    seconds,
    cost: (seconds / 3_600) * pricePerHour * question.serving.tensorParallel,
  };
}

function estimateWorkload({ serving, memory, assumptions }: TimeQuestion, { loop, episodes }: Workload) {
  const { answerTokens, promptTokens, observationTokens, teraflops, efficiency } = assumptions;
  const turns = loop === 'script' ? 1 : assumptions.turns;
  const context = promptTokens + ((turns - 1) * (answerTokens + observationTokens) + answerTokens) / 2;
  const batch = Math.min(serving.maxConcurrent, episodes, countTogether(memory, context));
  const decoded = episodes * turns * answerTokens;
  const decoding = decoded / decodingRate({ memory, serving, assumptions, batch, context });
  const read = episodes * (promptTokens + (turns - 1) * observationTokens);
  const flops = teraflops * 1e12 * efficiency * serving.tensorParallel;
  const seconds = decoding + (2 * memory.parameters * read) / flops;
  return { decoded, decoding, seconds };
}

/** Conversations of that length that the cache holds at once. */
function countTogether(memory: ServingMemory, context: number): number {
  const room = memory.budgetBytes - memory.weightBytes - memory.overheadBytes;
  return Math.max(1, Math.floor(room / (context * memory.cacheBytesPerToken)));
}

interface Decoding extends Pick<TimeQuestion, 'memory' | 'serving' | 'assumptions'> {
  readonly batch: number;
  /** Mean length of a conversation, in tokens. */
  readonly context: number;
}

/** Tokens a second of a batch: its size over the time of one step. */
function decodingRate({ memory, serving, assumptions, batch, context }: Decoding): number {
  const { bandwidthGbPerS, efficiency, stepFloorMs } = assumptions;
  const bytes = memory.weightBytes + batch * context * memory.cacheBytesPerToken;
  const reading = bytes / (bandwidthGbPerS * gigabyte * efficiency * serving.tensorParallel);
  return batch / Math.max(reading, stepFloorMs / 1_000);
}
