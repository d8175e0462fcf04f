import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError } from '../../../env/index.ts';

export interface Checkpoint {
  /** Absolute. */
  readonly folder: string;
  /**
   * Tells other weights in the same folder apart: SHA-256 over the names and sizes of the folder's files and the first
   * and last MiB of each, so that large models need no full read.
   */
  readonly fingerprint: string;
}

/** Throws an InputError (`E_CHECKPOINT`) unless the folder holds `config.json` and weights. */
export function readCheckpoint(path: string): Checkpoint {
  const folder = resolve(path);
  const names = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder).sort() : [];
  if (!names.includes('config.json') || !names.some((name) => /\.(safetensors|bin)$/.test(name))) {
    throw new InputError({
      code: 'E_CHECKPOINT',
      what: 'Cannot serve a checkpoint',
      where: folder,
      expected: 'a folder with config.json and weights (*.safetensors or *.bin)',
      found: names.length === 0 ? 'no such folder, or an empty one' : names.slice(0, 8).join(', '),
    });
  }
  return { folder, fingerprint: fingerprintOf(folder, names) };
}

function fingerprintOf(folder: string, names: readonly string[]): string {
  const hash = createHash('sha256');
  for (const name of names) {
    const stat = statSync(join(folder, name));
    if (!stat.isFile()) continue;
    hash.update(`${name} ${stat.size}\n`);
    hash.update(readEnds(join(folder, name), stat.size));
  }
  return hash.digest('hex');
}

function readEnds(path: string, size: number): Buffer {
  const part = Math.min(size, 1 << 20);
  const buffer = Buffer.alloc(2 * part);
  const file = openSync(path, 'r');
  try {
    readSync(file, buffer, 0, part, 0);
    readSync(file, buffer, part, part, size - part);
  } finally {
    closeSync(file);
  }
  return buffer;
}
