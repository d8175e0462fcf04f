import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Puts a small file in its place durably and at once: readers see the old content or the new. */
export function writeFileDurably(path: string, content: string, mode = 0o644): void {
  const draft = `${path}.tmp`;
  withFile(
    draft,
    'w',
    (file) => {
      writeSync(file, content);
      fsyncSync(file);
    },
    mode,
  );
  renameSync(draft, path);
  withFile(dirname(path), 'r', fsyncSync);
}

function withFile(path: string, flags: string, use: (file: number) => void, mode?: number): void {
  const file = openSync(path, flags, mode);
  try {
    use(file);
  } finally {
    closeSync(file);
  }
}
