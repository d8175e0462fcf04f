import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '../env/index.ts';

/** What is wrong with a path that a user gave, by the system's own words. */
const refusals = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS']);

/**
 * Writes a file that a user named, and the folders above it; with `fresh` only where there is none. Throws an InputError
 * (`E_OUT`) for a path that cannot be written.
 */
export function writeOutputFile(
  path: string,
  text: string,
  { fresh = false }: { readonly fresh?: boolean } = {},
): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: fresh ? 'wx' : 'w' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!refusals.has(code)) throw error;
    throw new InputError({
      code: 'E_OUT',
      what: 'Cannot write a file',
      where: path,
      expected: 'a path that can be written',
      found: code,
      cause: error,
    });
  }
}
