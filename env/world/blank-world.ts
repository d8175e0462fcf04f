import { BoundaryError } from '../errors.ts';
import { readState, type Sandbox, type SandboxFactory } from '../sandbox/index.ts';
import { TmuxServer } from '../tmux/index.ts';

/** A sandbox with a running tmux server and nothing else; any task can be set up in it. */
export interface BlankWorld {
  readonly sandbox: Sandbox;
  readonly server: TmuxServer;
  /** Device and inode of the server's executable, as one key. */
  readonly serverKey: string;
  /** When the server was started, on the clock of `performance.now()`. */
  readonly serverSince: number;
}

const startLimitMs = 20_000;

/** Throws a BoundaryError where the sandbox or the server cannot be started within 20 s; nothing is left then. */
export async function createBlankWorld(factory: SandboxFactory): Promise<BlankWorld> {
  const sandbox = await factory.create();
  const serverSince = performance.now();
  try {
    const server = await within(startLimitMs, TmuxServer.start(sandbox));
    const serverKey = sandbox.processes.executable(server.pid);
    if (serverKey === null) throw new BoundaryError('tmux', { code: 'E_TMUX', what: 'Cannot see the tmux server' });
    return { sandbox, server, serverKey, serverSince };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/** Rejects with a BoundaryError (`E_SETUP_TIME`) where the work takes longer. */
export async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(new BoundaryError('sandbox', { code: 'E_SETUP_TIME', what: `Cannot set up within ${milliseconds} ms` })),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the sandbox and its tmux server still live. */
export function isHealthy({ sandbox, server }: BlankWorld): boolean {
  const state = readState(sandbox.processes, server.pid);
  return state !== null && state !== 'Z' && state !== 'X';
}
