import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { InputError } from '../../env/index.ts';

export const manifestSchema = z.strictObject({
  schema: z.literal(1),
  generator: z.string(),
  /** The flags that the tasks were made with, as given. */
  flags: z.record(z.string(), z.unknown()),
  count: z.int().min(0),
  /** In the order of the lines. */
  tasks: z.array(z.strictObject({ id: z.string(), hash: z.string().regex(/^[0-9a-f]{64}$/) })).readonly(),
});

/** What stands beside a file of tasks: which tasks it holds, and the content hash of each. */
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

/** `tasks.jsonl` has its manifest in `tasks.manifest.json`. */
export function manifestPath(tasksPath: string): string {
  return `${tasksPath.replace(/\.jsonl$/, '')}.manifest.json`;
}

/** The manifest beside a file of tasks, or null where there is none. Throws an InputError (`E_MANIFEST`) for a bad one. */
export function readManifest(tasksPath: string): Manifest | null {
  const path = manifestPath(tasksPath);
  if (!existsSync(path)) return null;
  const result = manifestSchema.safeParse(parseManifest(readFileSync(path, 'utf8'), path));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw manifestError(path, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function parseManifest(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw manifestError(path, cause instanceof Error ? cause.message : 'no JSON');
  }
}

function manifestError(path: string, found: string): InputError {
  return new InputError({
    code: 'E_MANIFEST',
    what: 'Cannot read a manifest',
    where: path,
    expected: 'a manifest',
    found,
  });
}
