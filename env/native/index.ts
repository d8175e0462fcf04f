import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BoundaryError } from '../errors.ts';

/** The programs that run inside a sandbox, compiled by build.sh; the unguarded launcher is for the red team only. */
export type NativeProgram = 'holder' | 'launcher' | 'launcher-unguarded' | 'sleep' | 'timeout';

/** The folder that holds package.json, whether the sources or the build run. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('Cannot find package.json above the muxgym sources');
    folder = parent;
  }
  return folder;
}

/** The folder with all native programs. Throws a BoundaryError (`E_NATIVE`) where set-up has not built them. */
export function nativeFolder(): string {
  const folder = join(packageRoot(), 'build', 'native');
  if (existsSync(join(folder, 'launcher'))) return folder;
  throw new BoundaryError('sandbox', {
    code: 'E_NATIVE',
    what: 'Cannot start a sandbox without its native programs',
    where: folder,
    hint: 'Run scripts/setup, or env/native/build.sh',
  });
}

export function nativeProgram(name: NativeProgram): string {
  return join(nativeFolder(), name);
}
