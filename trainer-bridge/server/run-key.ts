import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, makeRunKey, parseRunKey, type RunKey } from '../../env/index.ts';

/**
 * The key of a served run: the one that its folder recorded, or `given`, or a new one, recorded now in `run.key` for its
 * owner's eyes only. A server that starts again in a folder so gives the same secrets. Throws an InputError
 * (`E_CONFIG_CHANGED`) where `given` is not the recorded one.
 */
export function resolveRunKey(folder: string, given: RunKey | null): RunKey {
  const path = join(folder, 'run.key');
  if (!existsSync(path)) return record(folder, path, given ?? makeRunKey());
  const recorded = readKey(path);
  if (given === null || given === recorded) return recorded;
  throw new InputError({
    code: 'E_CONFIG_CHANGED',
    what: 'Cannot go on in a run folder under another run key',
    where: path,
    expected: 'the recorded key',
    found: 'another one',
    hint: 'leave --key out, or choose another --run',
  });
}

function record(folder: string, path: string, key: RunKey): RunKey {
  mkdirSync(folder, { recursive: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `${key}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return key;
}

function readKey(path: string): RunKey {
  try {
    return parseRunKey(readFileSync(path, 'utf8').trim());
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause);
    throw new InputError({ code: 'E_KEY', what: 'Cannot read the recorded run key', where: path, found, cause });
  }
}
