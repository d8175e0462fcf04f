import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { InputError, packageRoot } from '../../env/index.ts';

/** One model of a preset. What is left out comes from the command: its address, its model, its sampling. */
const memberSchema = z.strictObject({
  client: z.enum(['openai', 'anthropic']),
  base_url: z.string().optional(),
  model: z.string().min(1).optional(),
  /** The environment variable that holds the key, never a key. */
  api_key_env: z.string().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).optional(),
});
export type FusionMember = Readonly<z.infer<typeof memberSchema>>;

const tableSchema = z.strictObject({
  panel: z.array(memberSchema).min(1).max(16).readonly(),
  judge: memberSchema,
  synthesizer: memberSchema,
});

/** A server that fuses by itself, behind an OpenAI-compatible endpoint. */
const gatewaySchema = z.strictObject({
  gateway: memberSchema.extend({
    client: z.literal('openai'),
    server_tools: z.array(z.record(z.string(), z.unknown())).optional(),
  }),
});

/** A preset: a panel with its judge and its synthesizer, or a gateway that holds them. */
export interface FusionPreset {
  readonly name: string;
  readonly plan: Readonly<z.infer<typeof tableSchema>> | Readonly<z.infer<typeof gatewaySchema>>;
  /** Of the file, for the run's configuration. */
  readonly sha256: string;
}

/** Reads a preset by its file, or by its name in `data/fusion`. Throws an InputError (`E_PRESET`). */
export function readFusionPreset(nameOrFile: string): FusionPreset {
  const path = findPreset(nameOrFile);
  const text = readFileSync(path, 'utf8');
  const table = parseToml(path, text);
  const parsed = ('gateway' in table ? gatewaySchema : tableSchema).safeParse(table);
  if (!parsed.success) throw presetError(path, 'a preset as data/fusion/README.md says', describeIssues(parsed.error));
  return {
    name: basename(path, '.toml'),
    plan: parsed.data,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

function findPreset(nameOrFile: string): string {
  const folder = join(packageRoot(), 'data', 'fusion');
  const known = readdirSync(folder).flatMap((file) => (file.endsWith('.toml') ? [basename(file, '.toml')] : []));
  if (known.includes(nameOrFile)) return join(folder, `${nameOrFile}.toml`);
  if (nameOrFile.endsWith('.toml') && existsSync(nameOrFile)) return nameOrFile;
  throw presetError('--preset', `a file, or one of ${known.sort().join(', ')}`, `"${nameOrFile}"`);
}

function parseToml(path: string, text: string): object {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    throw presetError(`${path}:${cause.line}:${cause.column}`, 'TOML', cause.message.split('\n')[0] ?? '', cause);
  }
}

function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [path.map(String).join('.'), message].join(': ')).join('; ');
}

function presetError(where: string, expected: string, found: string, cause?: unknown): InputError {
  return new InputError({ code: 'E_PRESET', what: 'Cannot read a fusion preset', where, expected, found, cause });
}
