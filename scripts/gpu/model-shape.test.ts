import { expect, test } from 'vitest';
import { countCacheBytes, countParameters, findModelShape, parseModelConfig } from './model-shape.ts';

/** Totals of the safetensors files, as the Hub shows them for each repository. */
const published = [
  ['0.5B', 494_032_768],
  ['1.5B', 1_543_714_304],
  ['3B', 3_085_938_688],
  ['7B', 7_615_616_512],
  ['14B', 14_770_033_664],
  ['32B', 32_763_876_352],
] as const;

test.each(published)('countParameters() is the published total, when the model is Qwen2.5-%s', (size, parameters) => {
  expect(countParameters(findModelShape(`Qwen/Qwen2.5-${size}-Instruct`))).toBe(parameters);
});

test('countCacheBytes() is two numbers a layer, head and place, when Qwen2.5-7B is kept in bfloat16', () => {
  // 2 x 28 layers x 4 heads x 128 places x 2 bytes
  expect(countCacheBytes(findModelShape('Qwen/Qwen2.5-7B-Instruct'), 2)).toBe(57_344);
});

test('countCacheBytes() is 64 layers x 8 heads of 128, when the model is Qwen2.5-32B', () => {
  expect(countCacheBytes(findModelShape('Qwen/Qwen2.5-32B-Instruct'), 2)).toBe(262_144);
});

test('parseModelConfig() reads a Llama-like model without biases, when it is the config of SmolLM2-135M', () => {
  const shape = parseModelConfig(
    JSON.stringify({
      ...{ model_type: 'llama', hidden_size: 576, intermediate_size: 1536, num_hidden_layers: 30 },
      ...{ num_attention_heads: 9, num_key_value_heads: 3, vocab_size: 49_152, tie_word_embeddings: true },
    }),
    'config.json',
  );
  expect(countParameters(shape)).toBe(134_515_008);
  expect(countCacheBytes(shape, 2)).toBe(2 * 30 * 3 * 64 * 2);
});

test('parseModelConfig() names the file and the field, when a number is missing', () => {
  expect(() => parseModelConfig('{"model_type": "llama"}', 'a/config.json')).toThrow(/a\/config\.json.*hidden_size/);
});

test('findModelShape() names the model, when neither the table nor a folder knows it', () => {
  expect(() => findModelShape('some/other')).toThrow(/some\/other/);
});
