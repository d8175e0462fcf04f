import { statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError, type Task } from '../env/index.ts';
import { listTaskFiles, loadTaskFile } from '../generator/index.ts';
import { interruptSignal, progress, reportError } from './output.ts';

/**
 * Validates every task file below the given paths, then each again when it changes, until the first SIGINT. A file that
 * cannot be read is reported, and the watch goes on. Throws an InputError (`E_WATCH`) for a path that does not exist.
 */
export async function watchTasks(
  paths: readonly string[],
  validate: (tasks: readonly Task[]) => Promise<void>,
): Promise<void> {
  const changed = new Set(paths.flatMap(listFiles));
  let wake: () => void = () => undefined;
  const note = (path: string): void => {
    if (!path.endsWith('.toml')) return;
    changed.add(path);
    wake();
  };
  const watchers = paths.map((path) => watchPath(path, note));
  const signal = interruptSignal();
  signal.addEventListener('abort', () => wake());
  try {
    while (!signal.aborted) {
      const next = [...changed];
      changed.clear();
      await validateFiles(next, validate);
      progress('watching; interrupt to end');
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (changed.size > 0 || signal.aborted) resolve();
      });
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

async function validateFiles(
  paths: readonly string[],
  validate: (tasks: readonly Task[]) => Promise<void>,
): Promise<void> {
  const tasks = paths.flatMap((path) => {
    try {
      return statSync(path, { throwIfNoEntry: false }) === undefined ? [] : [loadTaskFile(path)];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      reportError(error);
      return [];
    }
  });
  if (tasks.length > 0) await validate(tasks);
}

function listFiles(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) return stats.isDirectory() ? listTaskFiles(path) : [path];
  throw new InputError({
    code: 'E_WATCH',
    what: 'Cannot watch tasks',
    where: path,
    expected: 'a task file or a folder of them',
    found: 'nothing there',
  });
}

/** Editors replace files, so that the folder of a file is watched, not the file. */
function watchPath(path: string, note: (path: string) => void): { close(): void } {
  if (statSync(path).isDirectory()) {
    return watch(path, { recursive: true }, (_, name) => {
      if (name !== null) note(join(path, name));
    });
  }
  return watch(dirname(path), (_, name) => {
    if (name === basename(path)) note(path);
  });
}
