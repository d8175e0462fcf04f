import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError } from '../../env/index.ts';

/** A file that has no name yet. */
export interface Draft extends AsyncDisposable {
  readonly file: FileHandle;
  /** Gives the draft its name; without this, disposal deletes it. */
  keep(): Promise<void>;
}

/**
 * Opens a draft of the file at `path`, beside it; missing folders are made. The content appears whole at `keep()`, or
 * never. Throws an InputError (`E_FILE`) where it cannot be written.
 */
export async function openDraft(path: string, mode = 0o666): Promise<Draft> {
  const draft = `${path}.${process.pid}.tmp`;
  const file = await openFile(draft, mode).catch((cause: unknown) => {
    const found = cause instanceof Error && 'code' in cause ? String(cause.code) : 'an unwritable one';
    const expected = 'a path that can be written';
    throw new InputError({ code: 'E_FILE', what: 'Cannot write a file', where: path, expected, found, cause });
  });
  const keep = async () => {
    await file.sync();
    await rename(draft, path);
  };
  const dispose = async () => {
    await file.close();
    await rm(draft, { force: true });
  };
  return { file, keep, [Symbol.asyncDispose]: dispose };
}

async function openFile(path: string, mode: number): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  return open(path, 'w', mode);
}
