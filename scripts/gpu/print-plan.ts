import { printJson, printLine, printTable } from '../output.ts';
import type { LadderPlanRow } from './ladder-plan.ts';
import type { Hardware, ServingMemory } from './serving-memory.ts';
import type { Assumptions } from './serving-time.ts';
import type { TrainingMemory, TrainingStep } from './training-memory.ts';

export interface LadderPlan {
  readonly file: string;
  readonly rows: readonly LadderPlanRow[];
  readonly hardware: Hardware;
  readonly assumptions: Assumptions;
}

export function printLadderPlan(plan: LadderPlan, json: boolean): void {
  if (json) printJson(describeLadder(plan));
  else printLadder(plan);
}

function describeLadder({ file, rows, hardware, assumptions }: LadderPlan) {
  return {
    ladder: file,
    hardware: { memory_gb: hardware.memoryGb, gpus: hardware.gpus, overhead_gb: hardware.overheadGb },
    assumptions: nameAssumptions(assumptions),
    models: rows.map(({ serving, memory, time, refusal }) => ({
      name: serving.name,
      verdict: memory.verdict,
      parameters: memory.parameters,
      weight_bytes: memory.weightBytes,
      cache_bytes_per_token: memory.cacheBytesPerToken,
      cache_bytes: memory.cacheBytes,
      overhead_bytes: memory.overheadBytes,
      need_bytes: memory.needBytes,
      budget_bytes: memory.budgetBytes,
      max_model_len: serving.maxModelLen,
      max_concurrent: serving.maxConcurrent,
      sequences_that_fit: memory.sequencesThatFit,
      episodes: time?.episodes ?? null,
      tokens_per_s: time?.tokensPerSecond ?? null,
      seconds: time?.seconds ?? null,
      cost: time?.cost ?? null,
      refused: refusal === null ? null : refusal.code,
    })),
    refused: rows.filter(({ refusal }) => refusal !== null).map(({ serving }) => serving.name),
    ...totals(rows),
  };
}

function totals(rows: readonly LadderPlanRow[]) {
  return {
    seconds: rows.reduce((sum, { time }) => sum + (time?.seconds ?? 0), 0),
    cost: rows.reduce((sum, { time }) => sum + (time?.cost ?? 0), 0),
  };
}

function printLadder({ file, rows, hardware, assumptions }: LadderPlan): void {
  printTable(rows, [
    { title: 'model', value: ({ serving }) => serving.name },
    { title: 'parameters', value: ({ memory }) => memory.parameters },
    { title: 'weights GB', value: ({ memory }) => formatGb(memory.weightBytes) },
    { title: 'cache B/token', value: ({ memory }) => memory.cacheBytesPerToken },
    { title: 'tokens x at once', value: ({ serving }) => `${serving.maxModelLen} x ${serving.maxConcurrent}` },
    { title: 'cache GB', value: ({ memory }) => formatGb(memory.cacheBytes) },
    { title: 'sum GB', value: ({ memory }) => formatGb(memory.needBytes) },
    { title: 'budget GB', value: ({ memory }) => formatGb(memory.budgetBytes) },
    { title: 'verdict', value: ({ serving, memory }) => describeVerdict(memory, serving.maxConcurrent) },
    { title: 'episodes', value: ({ time }) => time?.episodes ?? null },
    { title: 'tokens/s', value: ({ time }) => (time === null ? null : Math.round(time.tokensPerSecond)) },
    { title: 'minutes', value: ({ time }) => (time === null ? null : Math.ceil(time.seconds / 60)) },
    { title: 'cost', value: ({ time }) => time?.cost.toFixed(2) ?? null },
  ]);
  const { seconds, cost } = totals(rows);
  printLine('');
  printLine(`${file}: about ${Math.ceil(seconds / 60)} minutes of GPU, cost ${cost.toFixed(2)}`);
  printLine(describeMemory(hardware));
  printLine(describeTime(assumptions));
}

function describeVerdict({ verdict, sequencesThatFit }: ServingMemory, maxConcurrent: number): string {
  return verdict === 'fewer at once' ? `${sequencesThatFit} of ${maxConcurrent} at full length` : verdict;
}

function describeMemory({ memoryGb, gpus, overheadGb }: Hardware): string {
  return `memory: weights + ${overheadGb} GB a GPU + cache of all conversations at full length, against ${memoryGb} GB x --gpu-memory-utilization x tensor_parallel (${gpus} GPU); conversations that do not fit wait`;
}

function describeTime(assumptions: Assumptions): string {
  const words = Object.entries(nameAssumptions(assumptions)).map(([name, value]) => `${name} ${value}`);
  return `time, by roofline: a decoding step reads weights and the batch's cache once, a prompt token takes 2 operations a parameter; assumed, not measured: ${words.join(', ')}`;
}

/** As in JSON and, with dashes, as the flags. */
function nameAssumptions(assumptions: Assumptions): Readonly<Record<string, number>> {
  const name = (word: string) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(assumptions).map(([key, value]) => [name(key), value]));
}

function formatGb(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}

export interface TrainingPlan {
  readonly model: string;
  readonly memoryGb: number;
  readonly rows: readonly { readonly step: TrainingStep; readonly memory: TrainingMemory }[];
}

export function printTrainingPlan({ model, memoryGb, rows }: TrainingPlan, json: boolean): void {
  if (json) {
    printJson({ model, memory_gb: memoryGb, steps: rows.map(({ step, memory }) => ({ ...step, ...memory })) });
    return;
  }
  printTable(rows, [
    { title: model, value: ({ step }) => step.command },
    { title: 'rows x tokens', value: ({ step }) => `${step.rows} x ${step.tokens}` },
    { title: 'weights, gradients, AdamW GB', value: ({ memory }) => formatGb(memory.stateBytes) },
    { title: 'KL copy GB', value: ({ memory }) => formatGb(memory.referenceBytes) },
    { title: 'activations GB', value: ({ memory }) => formatGb(memory.activationBytes) },
    { title: 'logits GB', value: ({ memory }) => formatGb(memory.logitBytes) },
    { title: 'sum GB', value: ({ memory }) => formatGb(memory.needBytes) },
    { title: 'verdict', value: ({ memory }) => (memory.fits ? 'fits' : 'refused') },
  ]);
}
