import { expect, test } from 'vitest';
import { readLadder } from '../../rollout/index.ts';
import { planLadder } from './ladder-plan.ts';
import { defaultAssumptions } from './serving-time.ts';

const options = {
  hardware: { memoryGb: 80, gpus: 1, overheadGb: 2 },
  assumptions: defaultAssumptions,
  configs: new Map<string, string>(),
};
const ladder = readLadder('data/models/qwen2.5.toml');

test('planLadder() fits the whole ladder of the study, when the GPU has 80 GB', () => {
  const verdicts = planLadder(ladder, options).map(({ memory }) => memory.verdict);
  expect(verdicts).toEqual(['fits', 'fits', 'fits', 'fits', 'fewer at once', 'fewer at once']);
});

test('planLadder() refuses the largest by name and gives it no time, when the GPU has 40 GB', () => {
  const rows = planLadder(ladder, { ...options, hardware: { ...options.hardware, memoryGb: 40 } });
  const refused = rows.filter(({ refusal }) => refusal !== null);
  expect(refused.map(({ refusal }) => refusal?.what)).toEqual(['Cannot serve "Qwen2.5-32B-Instruct"']);
  expect(refused.map(({ time }) => time)).toEqual([null]);
});

test('planLadder() takes utilization from the last --gpu-memory-utilization of extra_args', () => {
  const [entry] = ladder.models;
  const models = [{ ...entry!, extra_args: ['--gpu-memory-utilization', '0.5', '--gpu-memory-utilization=0.25'] }];
  const [row] = planLadder({ ...ladder, models }, options);
  expect(row?.memory.budgetBytes).toBe(20e9);
});

test('planLadder() names the model and the flag, when a utilization is no share', () => {
  const [entry] = ladder.models;
  const models = [{ ...entry!, extra_args: ['--gpu-memory-utilization=90'] }];
  expect(() => planLadder({ ...ladder, models }, options)).toThrow(/Qwen2\.5-0\.5B-Instruct.*utilization/);
});
