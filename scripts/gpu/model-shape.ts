import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../env/index.ts';

/** What of a model decides its memory and speed: the numbers of its `config.json`. */
export interface ModelShape {
  readonly hidden: number;
  readonly intermediate: number;
  readonly layers: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headSize: number;
  readonly vocabulary: number;
  /** One matrix is both the embedding and the output. */
  readonly tied: boolean;
  /** On queries, keys and values. */
  readonly attentionBias: boolean;
}

type Row = readonly [
  hidden: number,
  intermediate: number,
  layers: number,
  heads: number,
  kvHeads: number,
  vocabulary: number,
  tied: boolean,
];

/** From `config.json` of each repository `Qwen/Qwen2.5-SIZE-Instruct` on the Hub; the base models have the same. */
const qwen: Readonly<Record<string, Row>> = {
  '0.5B': [896, 4864, 24, 14, 2, 151_936, true],
  '1.5B': [1536, 8960, 28, 12, 2, 151_936, true],
  '3B': [2048, 11_008, 36, 16, 2, 151_936, true],
  '7B': [3584, 18_944, 28, 28, 4, 152_064, false],
  '14B': [5120, 13_824, 48, 40, 8, 152_064, false],
  '32B': [5120, 27_648, 64, 40, 8, 152_064, false],
};

/**
 * The shape of a model: a name of the Hub in the table, a folder with its `config.json`, or a name that `configs` gives
 * such a file for. Throws an InputError (`E_MODEL_SHAPE`).
 */
export function findModelShape(model: string, configs: ReadonlyMap<string, string> = new Map()): ModelShape {
  const given = configs.get(model) ?? join(model, 'config.json');
  if (existsSync(given)) return parseModelConfig(readFileSync(given, 'utf8'), given);
  const row = qwen[/^Qwen\/Qwen2\.5-([\d.]+B)(-Instruct)?$/.exec(model)?.[1] ?? ''];
  if (row !== undefined) return makeQwenShape(row);
  throw new InputError({
    code: 'E_MODEL_SHAPE',
    what: 'Cannot tell the memory of a model',
    where: model,
    expected: `Qwen/Qwen2.5-(${Object.keys(qwen).join('|')})-Instruct, or a folder with its config.json`,
    found: configs.has(model) ? `no file ${given}` : 'neither',
    hint: `take config.json from the model's repository, and: --model-config ${model}=config.json`,
  });
}

function makeQwenShape([hidden, intermediate, layers, heads, kvHeads, vocabulary, tied]: Row): ModelShape {
  const headSize = hidden / heads;
  return { hidden, intermediate, layers, heads, kvHeads, headSize, vocabulary, tied, attentionBias: true };
}

const configSchema = z.object({
  model_type: z.enum(['qwen2', 'llama', 'mistral']),
  hidden_size: z.int().min(1),
  intermediate_size: z.int().min(1),
  num_hidden_layers: z.int().min(1),
  num_attention_heads: z.int().min(1),
  num_key_value_heads: z.int().min(1),
  head_dim: z.int().min(1).nullish(),
  vocab_size: z.int().min(1),
  tie_word_embeddings: z.boolean().default(false),
  attention_bias: z.boolean().nullish(),
});

/** Reads a `config.json` of a Llama-like model. Throws an InputError (`E_MODEL_SHAPE`) with the file and the field. */
export function parseModelConfig(text: string, path: string): ModelShape {
  const config = checkConfig(text, path);
  return {
    hidden: config.hidden_size,
    intermediate: config.intermediate_size,
    layers: config.num_hidden_layers,
    heads: config.num_attention_heads,
    kvHeads: config.num_key_value_heads,
    headSize: config.head_dim ?? config.hidden_size / config.num_attention_heads,
    vocabulary: config.vocab_size,
    tied: config.tie_word_embeddings,
    attentionBias: config.attention_bias ?? config.model_type === 'qwen2',
  };
}

function checkConfig(text: string, path: string): z.infer<typeof configSchema> {
  const fail = (found: string, cause: unknown) =>
    new InputError({
      ...{ code: 'E_MODEL_SHAPE', what: 'Cannot read the config of a model', where: path, found, cause },
      expected: 'config.json of a Llama-like model',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw fail((cause as Error).message, cause);
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fail(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`, parsed.error);
}

/** Of embeddings, attention with its biases, the three matrices of each feed-forward layer, and norms. */
export function countParameters(shape: ModelShape): number {
  const { hidden, intermediate, layers, heads, kvHeads, headSize, vocabulary, tied, attentionBias } = shape;
  const queries = heads * headSize;
  const keys = kvHeads * headSize;
  const bias = attentionBias ? queries + 2 * keys : 0;
  const attention = 2 * hidden * queries + 2 * hidden * keys + bias;
  const layer = attention + 3 * hidden * intermediate + 2 * hidden;
  return (tied ? 1 : 2) * vocabulary * hidden + layers * layer + hidden;
}

/** Bytes that one token keeps in the cache: a key and a value in each layer. */
export function countCacheBytes({ layers, kvHeads, headSize }: ModelShape, bytesPerNumber: number): number {
  return 2 * layers * kvHeads * headSize * bytesPerNumber;
}
