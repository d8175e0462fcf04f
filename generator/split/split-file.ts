import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { InputError } from '../../env/index.ts';

const name = z.string().regex(/^[a-z][a-z0-9-]*$/);

const words = z.array(z.string().min(1)).min(1).readonly();

/** A set of tasks by axis; an axis that is left out admits everything. All stated axes must hold. */
export const splitRulesSchema = z.strictObject({
  /** `train`: what may be trained on. `holdout`: what no training may touch. */
  role: z.enum(['train', 'holdout']),
  description: z.string().optional(),
  suites: words.optional(),
  profiles: words.optional(),
  /** Ranges, such as `D0-D2`, `1-15`, `E3-E4`, `1`, `0-999`. */
  depths: z.string().optional(),
  ops: z.string().optional(),
  levels: z.string().optional(),
  counts: z.string().optional(),
  seeds: z.string().optional(),
  paraphrases: z.string().optional(),
  /** What an event task is about: the words of `kindAxis`, `armAxis` and `delegationAxis` in `../range`. */
  kinds: words.optional(),
  arms: words.optional(),
  delegations: words.optional(),
  /** Task ids. */
  tasks: words.optional(),
});
export type SplitRules = Readonly<z.infer<typeof splitRulesSchema>>;

const aliasSchema = z.strictObject({ alias: name });

export const splitFileSchema = z.strictObject({
  schema: z.literal(1),
  /** `hashSplitFile` of the rest of the file: an edit without a new hash is refused. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  splits: z.record(name, z.union([aliasSchema, splitRulesSchema])),
});

/** A file of frozen splits. */
export type SplitFile = Readonly<z.infer<typeof splitFileSchema>>;

/**
 * Reads and checks a file of splits. Throws an InputError: `E_SPLIT_FILE` where it cannot be read, `E_TOML` with line
 * and column, `E_SPLIT_SCHEMA` with the field, `E_SPLIT_HASH` where the content is not what was frozen.
 */
export function readSplitFile(path: string): SplitFile {
  const content = parseToml(readText(path), path);
  const result = splitFileSchema.safeParse(content);
  if (!result.success) throw schemaError(result.error, path);
  const hash = hashSplitFile(content);
  if (hash !== result.data.hash) {
    throw new InputError({
      code: 'E_SPLIT_HASH',
      what: 'Cannot use a split file as frozen: its content has changed',
      where: path,
      expected: `hash ${result.data.hash}`,
      found: `hash ${hash}`,
      hint: `if the change is meant, run muxgym split hash ${path} --write`,
    });
  }
  return result.data;
}

/** SHA-256 (64 hex digits) over the canonical JSON of everything in the file but `hash`. */
export function hashSplitFile(content: Readonly<Record<string, unknown>>): string {
  const { hash: _, ...rest } = content;
  return hashJson(rest);
}

/** The hash that the file at `path` should carry, and its text with that hash. */
export function freezeSplitFile(path: string): { readonly hash: string; readonly text: string } {
  const text = readText(path);
  const content = parseToml(text, path);
  const hash = hashSplitFile(content);
  const frozen = text.replace(/^hash *=.*$/m, `hash = "${hash}"`);
  const result = splitFileSchema.safeParse(parseToml(frozen, path));
  if (!result.success) throw schemaError(result.error, path);
  return { hash, text: frozen };
}

export function hashJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Cannot hash a value: it has no canonical JSON');
  return createHash('sha256').update(text).digest('hex');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError({
      code: 'E_SPLIT_FILE',
      what: 'Cannot read a split file',
      where: path,
      expected: 'a readable TOML file',
      found: cause instanceof Error && 'code' in cause ? String(cause.code) : 'an unreadable one',
      cause,
    });
  }
}

function parseToml(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    throw new InputError({
      code: 'E_TOML',
      what: `Cannot read TOML: ${cause.message.split('\n')[0] ?? ''}`,
      where: `${path}:${cause.line}:${cause.column}`,
      hint: cause.codeblock,
      cause,
    });
  }
}

function schemaError(error: z.ZodError, path: string): InputError {
  const issue = error.issues[0];
  return new InputError({
    code: 'E_SPLIT_SCHEMA',
    what: 'Cannot read a split file as splits',
    where: `${path}: ${issue?.path.join('.') || 'top level'}`,
    expected: 'the fields of a split',
    found: issue?.message ?? 'something else',
    cause: error,
  });
}
