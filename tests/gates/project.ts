import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Outcome {
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly stdout: string;
}

/** A git project below the system's temp folder with some of our configuration and our node_modules; removed at the end. */
export interface Project extends AsyncDisposable {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  run(command: string, ...args: readonly string[]): Promise<Outcome>;
}

/** `configuration` names files of the checkout that are copied to the same place. */
export async function createProject(configuration: readonly string[]): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'muxgym-gate-'));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const run = async (command: string, ...args: readonly string[]): Promise<Outcome> => {
    const { exitCode, all, stdout } = await execa(command, args, {
      cwd: folder,
      all: true,
      reject: false,
      stdin: 'ignore',
      env: { NO_COLOR: '1', FORCE_COLOR: '0', PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` },
    });
    return { exitCode, output: all, stdout };
  };
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const path of configuration) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(join(root, path), join(folder, path));
  }
  await write('.gitignore', 'node_modules\n');
  await run('git', 'init', '--quiet');
  return {
    folder,
    write,
    run,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A planted violation: `planted/<gate>/<name>.ts.txt`; the name says what must be reported. */
export interface Planted {
  readonly name: string;
  readonly text: string;
}

export async function readPlanted(gate: string): Promise<readonly Planted[]> {
  const folder = fileURLToPath(new URL(`planted/${gate}`, import.meta.url));
  const files = (await readdir(folder)).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.(ts|py)\.txt$/, ''),
      text: await readFile(join(folder, file), 'utf8'),
    })),
  );
}
