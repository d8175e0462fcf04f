import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { BoundaryError } from '../errors.ts';
import { holdSandbox, waitForExit } from './held-sandbox.ts';
import type { HostPrograms } from './host-programs.ts';
import { NamespaceView } from './process-view.ts';
import { type Sandbox, type SandboxFactory, type SandboxOptions, sandboxEnvironment } from './sandbox.ts';
import { type StateFolder, stateVariable } from './state-folder.ts';

const home = '/home/agent';
const serverFolder = '/run/tmux';
const holder = '/opt/worker';
const launcher = '/opt/launcher';
/** The largest task has 129 windows. */
const terminalLimit = 300;
/** In each of HOME, /tmp and /dev/shm. */
const fileLimit = 16_384;
/** Room for the server's debug log, which is bounded below this. */
const serverFolderBytes = 64 << 20;

/** What a sandbox is made by: bubblewrap's options, and the launcher's command line. */
export interface Recipe {
  readonly options: readonly string[];
  readonly command: readonly string[];
}

/**
 * The top rung: own pid, network, ipc, uts and mount namespaces; a read-only system; private /tmp, HOME and terminals.
 * As root it makes no user namespace: the launcher becomes the episode's user, and its filter forbids new namespaces.
 * As a normal user it needs one, and bubblewrap forbids any inside it.
 */
export class BubblewrapFactory implements SandboxFactory {
  readonly rung = 'bubblewrap';
  readonly #state: StateFolder;
  readonly #programs: HostPrograms;
  readonly #reshape: (recipe: Recipe) => Recipe;

  /** `reshape` is for the red team alone, which takes one wall away to show that it is needed. */
  constructor(state: StateFolder, programs: HostPrograms, reshape: (recipe: Recipe) => Recipe = (recipe) => recipe) {
    this.#state = state;
    this.#programs = programs;
    this.#reshape = reshape;
  }

  async create({ processLimit = 512, diskBytes = 64 << 20 }: SandboxOptions = {}): Promise<Sandbox> {
    const root = process.getuid?.() === 0;
    const uid = root ? this.#state.takeUid('bubblewrap') : 1_000;
    const folder = this.#state.createWorld();
    prepareFolder(folder, uid);
    const { options, command } = this.#reshape({
      options: [
        ...isolation(root, uid),
        ...system(folder, this.#programs),
        ...writable(diskBytes),
        ...environment(),
        '--info-fd',
        '3',
        '--remount-ro',
        '/',
      ],
      command: launcherCommand(root, uid, processLimit),
    });
    // The options go through a pipe: the command line of init can be read inside, and holds nothing of the host.
    const child = spawn('bwrap', ['--args', '4', '--', ...command], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      cwd: '/',
      env: { PATH: process.env['PATH'], [stateVariable]: this.#state.path },
    });
    const release = (): void => {
      if (root) this.#state.returnUid(uid);
      rmSync(folder, { recursive: true, force: true });
    };
    const exit = waitForExit(child);
    const said = collectErrors(child);
    try {
      const init = await start(child, options, said);
      if (child.pid !== undefined) this.#state.recordProcess(folder, child.pid);
      return await holdSandbox({
        rung: this.rung,
        uid,
        child,
        exit,
        programs: this.#programs,
        homeInside: home,
        holderInside: holder,
        serverFolderInside: serverFolder,
        folders: () => ({
          home: `/proc/${init}/root${home}`,
          terminals: `/proc/${init}/root/dev/pts`,
          server: `/proc/${init}/root${serverFolder}`,
          proc: `/proc/${init}/root/proc`,
        }),
        view: (proc) => new NamespaceView(proc),
        // The init: the kernel ends its whole namespace before bubblewrap, its parent, hears of it.
        end: { pid: init, signal: 'SIGKILL' },
        said,
        release,
      });
    } catch (error) {
      child.kill('SIGKILL');
      release();
      throw error;
    }
  }
}

function launcherCommand(root: boolean, uid: number, processLimit: number): readonly string[] {
  return [
    launcher,
    '--watch',
    ...(root ? ['--uid', String(uid)] : []),
    '--home',
    home,
    '--processes',
    String(processLimit),
    // In a user namespace the kernel does not let these be bounded.
    ...(root ? ['--terminals', String(terminalLimit), '--files', String(fileLimit)] : []),
  ];
}

function prepareFolder(folder: string, uid: number): void {
  writeFileSync(
    join(folder, 'passwd'),
    `root:x:0:0:root:/root:/bin/bash\nagent:x:${uid}:${uid}:agent:${home}:/bin/bash\n`,
  );
  writeFileSync(join(folder, 'group'), `root:x:0:\nagent:x:${uid}:\n`);
}

function isolation(root: boolean, uid: number): readonly string[] {
  const user = ['--unshare-user', '--disable-userns', '--uid', String(uid), '--gid', String(uid)];
  return [
    ...(root ? [] : user),
    '--unshare-pid',
    '--unshare-net',
    '--unshare-ipc',
    '--unshare-uts',
    '--hostname',
    'box',
    '--die-with-parent',
    '--new-session',
    '--as-pid-1',
  ];
}

/** The read-only part: the host's /usr and little of /etc; neither our checkout nor Node is there. */
function system(folder: string, programs: HostPrograms): readonly string[] {
  const links = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap((path) => {
    if (!existsSync(path)) return [];
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
  const settings = [
    'ld.so.cache',
    'alternatives',
    'nsswitch.conf',
    'profile',
    'inputrc',
    'os-release',
    'debian_version',
  ];
  return [
    '--ro-bind',
    '/usr',
    '/usr',
    '--size',
    '4096',
    '--tmpfs',
    '/usr/local',
    '--remount-ro',
    '/usr/local',
    ...links,
    ...programs.hidden.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...folderWithMode('/etc'),
    ...settings.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    '--ro-bind',
    join(folder, 'passwd'),
    '/etc/passwd',
    '--ro-bind',
    join(folder, 'group'),
    '/etc/group',
    ...folderWithMode('/opt'),
    '--ro-bind',
    programs.launcher,
    launcher,
    '--ro-bind',
    programs.holder,
    holder,
    ...programs.replaced.flatMap(([from, to]) => ['--ro-bind', from, to]),
  ];
}

function writable(diskBytes: number): readonly string[] {
  const size = ['--size', String(diskBytes)];
  return [
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--perms',
    '1777',
    ...size,
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--perms',
    '1777',
    ...size,
    '--tmpfs',
    '/tmp',
    ...folderWithMode('/home'),
    '--perms',
    '0700',
    ...size,
    '--tmpfs',
    home,
    ...folderWithMode('/run'),
    '--perms',
    '0777',
    '--size',
    String(serverFolderBytes),
    '--tmpfs',
    serverFolder,
    '--chdir',
    home,
  ];
}

function folderWithMode(path: string): readonly string[] {
  return ['--perms', '0755', '--dir', path];
}

function environment(): readonly string[] {
  const variables = sandboxEnvironment(home, '/usr/local/bin:/usr/bin:/bin');
  return ['--clearenv', ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])];
}

/** What bubblewrap says on its standard error: the first line, for error messages. */
function collectErrors(child: ChildProcess): () => string {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (errors.length < 4_096) errors += chunk.toString();
  });
  return () => errors.split('\n')[0] ?? '';
}

/** Resolves with the outer pid of the sandbox's init. */
async function start(child: ChildProcess, arguments_: readonly string[], errors: () => string): Promise<number> {
  const info = child.stdio[3] as Readable;
  const input = child.stdio[4] as Writable;
  let said = '';
  info.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  input.on('error', () => {}); // told by the exit below
  input.end(arguments_.map((argument) => `${argument}\0`).join(''));
  await new Promise<void>((resolve, reject) => {
    info.on('end', resolve);
    child.on('error', reject);
  }).catch((cause: unknown) => {
    throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'Cannot start bubblewrap', cause });
  });
  const init: unknown = /"child-pid": (\d+)/.exec(said)?.[1];
  if (typeof init === 'string') return Number(init);
  throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'Cannot start bubblewrap', found: errors() });
}
