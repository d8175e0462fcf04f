import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { InputError } from '../../env/index.ts';

/** How a model is served; a field of an entry wins over the same of `[defaults]`. */
const servingSchema = z.strictObject({
  /** Ignored with `base_url`. @default vllm */
  server: z.enum(['vllm', 'transformers', 'command']).optional(),
  /** For server "command": program and arguments, with `{model}`, `{name}` and `{port}` in them. */
  command: z.array(z.string()).min(1).readonly().optional(),
  /** Of a server that runs already and is neither started nor stopped. */
  base_url: z.string().optional(),
  /** The environment variable that holds the key. */
  api_key_env: z.string().optional(),
  dtype: z.string().optional(),
  max_model_len: z.int().min(1).optional(),
  tensor_parallel: z.int().min(1).optional(),
  extra_args: z.array(z.string()).readonly().optional(),
  env: z.record(z.string(), z.string()).optional(),
  start_timeout_s: z.number().positive().optional(),
  max_concurrent: z.int().min(1).optional(),
});

const entrySchema = servingSchema.extend({
  /** Names its folder and its row. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'a name of letters, digits, ".", "_" and "-"'),
  /** A name on the Hub, or a folder (relative to the ladder file). With `base_url`, as that server names it. */
  model: z.string().min(1),
  /** Of the Hub's repository. */
  revision: z.string().optional(),
});

/** Choices of tasks as the flags of `muxgym eval`, and how they are played. */
const sweepSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'a name of lower-case letters, digits and "-"'),
  suite: z.string().optional(),
  tasks: z.array(z.string()).readonly().optional(),
  depths: z.string().optional(),
  ops: z.string().optional(),
  kinds: z.string().optional(),
  levels: z.string().optional(),
  counts: z.string().optional(),
  arms: z.string().optional(),
  seeds: z.string().optional(),
  profile: z.string().optional(),
  split: z.string().optional(),
  limit: z.int().min(1).optional(),
  samples: z.int().min(1).default(1),
  loop: z.string().default('script'),
  temperature: z.number().min(0).max(2).default(0),
  answer_tokens: z.int().min(1).default(1_024),
});

const ladderSchema = z.strictObject({
  /** Start the next server while the current model plays; both must fit into memory. @default false */
  prefetch: z.boolean().default(false),
  defaults: servingSchema.default({}),
  sweeps: z.array(sweepSchema).min(1).readonly(),
  models: z.array(entrySchema).min(1).readonly(),
});

export type LadderSweep = Readonly<z.output<typeof sweepSchema>>;
/** An entry with the defaults in it. */
export type LadderEntry = Readonly<z.output<typeof entrySchema>>;

/** Models to be served one after another, and what each plays. */
export interface Ladder {
  readonly prefetch: boolean;
  readonly sweeps: readonly LadderSweep[];
  readonly models: readonly LadderEntry[];
}

/** Reads a ladder. Throws an InputError (`E_LADDER`) with the file and the line or the field. */
export function readLadder(path: string): Ladder {
  const { prefetch, defaults, sweeps, models } = parseLadder(path);
  const entries = models.map((entry): LadderEntry => {
    const merged = { ...defaults, ...entry, env: { ...defaults.env, ...entry.env } };
    return { ...merged, model: resolveModel(merged.model, path) };
  });
  requireUnique(path, 'models', entries);
  requireUnique(path, 'sweeps', sweeps);
  for (const [index, { name, server, command, base_url }] of entries.entries()) {
    if (server === 'command' && command === undefined && base_url === undefined) {
      throw ladderError(`${path}: models[${index}]`, 'a command for server "command"', `none for "${name}"`);
    }
  }
  return { prefetch, sweeps, models: entries };
}

function parseLadder(path: string): z.output<typeof ladderSchema> {
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const place = cause instanceof TomlError ? `${path}:${cause.line}:${cause.column}` : path;
    throw ladderError(place, 'a readable TOML file', (cause as Error).message.split('\n')[0] ?? '', cause);
  }
  const parsed = ladderSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw ladderError(`${path}: ${issue?.path.join('.') || 'top level'}`, 'a ladder', issue?.message ?? '', parsed.error);
}

/** `./` and `../` begin a folder beside the ladder file; all else is left to the server. */
function resolveModel(model: string, path: string): string {
  return /^\.{1,2}\//.test(model) ? resolve(dirname(path), model) : model;
}

function requireUnique(path: string, list: string, items: readonly { readonly name: string }[]): void {
  const names = items.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw ladderError(`${path}: ${list}`, 'a name of its own for each', `"${twice}" twice`);
}

function ladderError(where: string, expected: string, found: string, cause?: unknown): InputError {
  return new InputError({ code: 'E_LADDER', what: 'Cannot read a ladder of models', where, expected, found, cause });
}
