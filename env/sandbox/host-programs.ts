import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { BoundaryError } from '../errors.ts';
import { nativeProgram } from '../native/index.ts';

/** Programs of the host as sandboxes use them. */
export interface HostPrograms {
  readonly launcher: string;
  readonly holder: string;
  /** Files that stand in the sandbox at another path, as [outside, inside]: tmux, sleep and timeout. */
  readonly replaced: readonly (readonly [string, string])[];
  /** A folder with tmux, sleep and timeout, for rungs that cannot replace files. */
  readonly folder: string;
  /** Paths that must not be run inside. */
  readonly hidden: readonly string[];
  readonly tmuxVersion: string;
  readonly holderKey: string;
  readonly sleepKey: string;
  readonly timeoutKey: string;
}

/**
 * Finds tmux and copies it so that its memory cannot be read by what runs as the agent (nobody may read the copy, so
 * the kernel makes it non-dumpable). Throws a BoundaryError where a program is missing.
 */
export function prepareHostPrograms(stateFolder: string): HostPrograms {
  const tmux = realpathSync(findProgram('tmux'));
  const version = execFileSync(tmux, ['-V'], { encoding: 'utf8' })
    .trim()
    .replace(/^tmux /, '');
  const folder = join(stateFolder, 'bin');
  mkdirSync(folder, { mode: 0o755 });
  chmodSync(stateFolder, 0o711);
  copy(tmux, join(folder, 'tmux'), process.getuid?.() === 0 ? 0o711 : 0o111);
  for (const name of ['sleep', 'timeout', 'holder', 'launcher'] as const)
    copy(nativeProgram(name), join(folder, name), 0o755);
  const replaced = (['tmux', 'sleep', 'timeout'] as const).map(
    (name) =>
      [join(folder, name), existsSync(`/usr/bin/${name}`) ? `/usr/bin/${name}` : `/usr/local/bin/${name}`] as const,
  );
  return {
    launcher: join(folder, 'launcher'),
    holder: join(folder, 'holder'),
    replaced,
    folder,
    hidden: ['node', 'nodejs', 'npm', 'npx', 'bwrap'].map((name) => `/usr/bin/${name}`).filter(isPlainFile),
    tmuxVersion: version,
    holderKey: fileKey(join(folder, 'holder')),
    sleepKey: fileKey(join(folder, 'sleep')),
    timeoutKey: fileKey(join(folder, 'timeout')),
  };
}

function findProgram(name: string): string {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && isExecutable(path)) return path;
  }
  throw new BoundaryError('tmux', {
    code: 'E_TMUX_MISSING',
    what: `Cannot find ${name} on the PATH`,
    hint: 'Run scripts/setup, or install it from your distribution',
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // asking is the point
  }
}

function copy(from: string, to: string, mode: number): void {
  copyFileSync(from, to);
  chmodSync(to, mode);
}

function isPlainFile(path: string): boolean {
  return existsSync(path) && lstatSync(path).isFile();
}

function fileKey(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}
