import { expect, test } from 'vitest';
import { findModelShape } from './model-shape.ts';
import { explainRefusal, planServingMemory, type Serving } from './serving-memory.ts';

const h100 = { memoryGb: 80, gpus: 1, overheadGb: 2 };
const serving: Serving = {
  ...{ name: 'm', dtype: 'bfloat16', maxModelLen: 8192, maxConcurrent: 64, tensorParallel: 1 },
  ...{ gpuMemoryUtilization: 0.9, quantized: false, cacheQuantized: false },
};
const shape = (size: string) => findModelShape(`Qwen/Qwen2.5-${size}-Instruct`);

test('planServingMemory() adds weights, overhead and cache, when a 7B model serves 64 conversations', () => {
  const memory = planServingMemory(shape('7B'), serving, h100);
  expect(memory.weightBytes).toBe(15_231_233_024); // 7,615,616,512 x 2
  expect(memory.cacheBytes).toBe(30_064_771_072); // 57,344 x 8192 x 64
  expect(memory.needBytes).toBe(47_296_004_096);
  expect(memory.budgetBytes).toBe(72e9);
  expect(memory.verdict).toBe('fits');
});

test('planServingMemory() says how many fit, when a 32B model leaves room for two conversations', () => {
  const memory = planServingMemory(shape('32B'), { ...serving, maxConcurrent: 16 }, h100);
  // 72 - 65.527752704 - 2 = 4.472247296 GB; one conversation is 262,144 x 8192 = 2.147483648 GB
  expect(memory.sequencesThatFit).toBe(2);
  expect(memory.verdict).toBe('fewer at once');
});

test('planServingMemory() refuses, when not one conversation of full length fits', () => {
  const memory = planServingMemory(shape('32B'), { ...serving, maxModelLen: 32_768 }, h100);
  expect(memory.verdict).toBe('refused');
  const facts = explainRefusal(serving, memory, h100);
  expect(facts.code).toBe('E_MEMORY');
  expect(facts.what).toBe('Cannot serve "m"');
});

test('planServingMemory() fits a 32B model, when two GPUs share it', () => {
  const memory = planServingMemory(
    shape('32B'),
    { ...serving, tensorParallel: 2, maxConcurrent: 16 },
    { ...h100, gpus: 2 },
  );
  expect(memory.budgetBytes).toBe(144e9);
  expect(memory.verdict).toBe('fits');
});

test('planServingMemory() refuses, when fewer GPUs are there than tensor_parallel asks for', () => {
  const wide = { ...serving, tensorParallel: 2 };
  const memory = planServingMemory(shape('7B'), wide, h100);
  expect(memory.verdict).toBe('refused');
  expect(explainRefusal(wide, memory, h100).expected).toBe('2 GPUs (tensor_parallel)');
});

test('planServingMemory() halves the weights, when they are quantized to fp8', () => {
  const memory = planServingMemory(shape('32B'), { ...serving, quantized: true }, h100);
  expect(memory.weightBytes).toBe(32_763_876_352);
});

test('planServingMemory() counts the cache twice, when four GPUs share two heads of keys and values', () => {
  const memory = planServingMemory(shape('3B'), { ...serving, tensorParallel: 4 }, { ...h100, gpus: 4 });
  expect(memory.cacheBytesPerToken).toBe(2 * 36_864);
});
