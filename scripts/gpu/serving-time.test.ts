import { expect, test } from 'vitest';
import { findModelShape } from './model-shape.ts';
import { planServingMemory, type Serving } from './serving-memory.ts';
import { type Assumptions, estimateServingTime } from './serving-time.ts';

const serving: Serving = {
  ...{ name: 'm', dtype: 'bfloat16', maxModelLen: 8192, maxConcurrent: 10, tensorParallel: 1 },
  ...{ gpuMemoryUtilization: 0.9, quantized: false, cacheQuantized: false },
};
const shape = findModelShape('Qwen/Qwen2.5-7B-Instruct');
const memory = planServingMemory(shape, serving, { memoryGb: 80, gpus: 1, overheadGb: 2 });
const assumptions: Assumptions = {
  ...{ bandwidthGbPerS: 1_000, teraflops: 100, efficiency: 1, stepFloorMs: 0.001, loadGbPerS: 1, startSeconds: 60 },
  ...{ turns: 3, answerTokens: 100, promptTokens: 500, observationTokens: 100, pricePerHour: 3.6 },
};

test('estimateServingTime() reads weights and cache once a step, when bandwidth is the limit', () => {
  const time = estimateServingTime({ shape, serving, memory, work: [{ loop: 'script', episodes: 10 }], assumptions });
  // a step reads 15.231233024 GB + 10 x 550 tokens x 57,344 B = 15.546625024 GB at 1000 GB/s
  expect(time.tokensPerSecond).toBeCloseTo(10 / 0.015546625024, 6);
  // 60 s start, 15.231233024 s load, 100 steps, 10 x 500 prompt tokens x 2 x 7,615,616,512 at 100 TFLOP/s
  expect(time.seconds).toBeCloseTo(60 + 15.231233024 + 1.5546625024 + 0.7615616512, 6);
  expect(time.cost).toBeCloseTo(time.seconds / 1_000, 9);
});

test('estimateServingTime() counts each turn, when the loop talks', () => {
  const time = estimateServingTime({ shape, serving, memory, work: [{ loop: 'text', episodes: 10 }], assumptions });
  // context 500 + (2 x 200 + 100) / 2 = 750; 300 steps of 15.231233024 + 0.43008 GB; 10 x 700 prompt tokens
  expect(time.seconds).toBeCloseTo(60 + 15.231233024 + 300 * 0.015661313024 + 1.06618631168, 6);
});

test('estimateServingTime() is never faster than the floor of a step, when the model is small', () => {
  const slow = { ...assumptions, stepFloorMs: 100 };
  const time = estimateServingTime({
    shape,
    serving,
    memory,
    work: [{ loop: 'script', episodes: 10 }],
    assumptions: slow,
  });
  expect(time.tokensPerSecond).toBeCloseTo(100, 6);
});
