import { z } from 'zod';
import { taskFileSchema } from './file-schema.ts';

/** A JSON Schema for task files: editors complete and check them by it, where a file names it after `#:schema`. */
export function makeTaskJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(taskFileSchema, { io: 'input', target: 'draft-7' });
  return { ...schema, title: 'muxgym task', description: 'A task of muxgym, or of the format that it extends' };
}

/** The keys that a table takes, by its path in a task file; none where there is no such table. */
export function listKeys(path: readonly (string | number)[]): readonly string[] {
  let node: unknown = makeTaskJsonSchema();
  for (const part of path) node = typeof part === 'number' ? read(node, 'items') : read(read(node, 'properties'), part);
  const properties = read(node, 'properties');
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function read(node: unknown, key: string): unknown {
  return typeof node === 'object' && node !== null ? (node as Readonly<Record<string, unknown>>)[key] : undefined;
}
