import { expect, test } from 'vitest';
import { findModelShape } from './model-shape.ts';
import { planTrainingMemory } from './training-memory.ts';

const gpu = { memoryGb: 80, overheadGb: 2 };
const step = { command: 'grpo', rows: 8, tokens: 512, reference: true } as const;

test('planTrainingMemory() counts 16 bytes a parameter and a copy, when a KL term is wanted', () => {
  const memory = planTrainingMemory(findModelShape('Qwen/Qwen2.5-1.5B-Instruct'), step, gpu);
  expect(memory.stateBytes).toBe(24_699_428_864); // 16 x 1,543,714,304
  expect(memory.referenceBytes).toBe(6_174_857_216); // 4 x 1,543,714,304
  // 4096 tokens x 28 layers x (5 x 1536 + 16 x 128 + 4 x 8960) numbers x 4 bytes
  expect(memory.activationBytes).toBe(20_904_411_136);
  expect(memory.logitBytes).toBe(7_467_958_272); // 3 x 4096 x 151,936 x 4
  expect(memory.fits).toBe(true);
});

test('planTrainingMemory() refuses a 3B model, when its state and activations exceed the GPU', () => {
  expect(planTrainingMemory(findModelShape('Qwen/Qwen2.5-3B-Instruct'), step, gpu).fits).toBe(false);
});
