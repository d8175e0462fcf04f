import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { BoundaryError } from '../env/index.ts';
import { checkoutRoot, venvProgram } from './checkout.ts';
import { interruptSignal } from './output.ts';

/** Programs that the demo starts. They end with it, even where it is killed. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export function muxgym(...args: readonly string[]): Program {
  return { file: process.execPath, args: [`${checkoutRoot()}/dist/scripts/muxgym.js`, ...args] };
}

export function venv(name: string, ...args: readonly string[]): Program {
  return { file: venvProgram(name), args };
}

/** Threads that spin at their barriers cost training more than half of the processor as soon as others want it too. */
const quietThreads = { OMP_WAIT_POLICY: 'PASSIVE', TOKENIZERS_PARALLELISM: 'false' } as const;

const common = {
  stdin: 'ignore',
  stderr: 'inherit',
  forceKillAfterDelay: 10_000,
  env: { NO_COLOR: '1', HF_HUB_OFFLINE: '1', TQDM_DISABLE: '1', ...quietThreads },
} as const;

/** setpriv has the kernel end the program when this process dies. */
function tied({ file, args }: Program): readonly [string, readonly string[]] {
  return ['setpriv', ['--pdeathsig', 'TERM', file, ...args]];
}

/**
 * Runs a program to its end and reads the JSON object that it prints. Throws a BoundaryError for exit codes above 1, and
 * the signal's reason once that aborted and the program has ended.
 */
export async function runJson(program: Program, what: string, signal = interruptSignal()): Promise<unknown> {
  const [file, args] = tied(program);
  const options = { ...common, cwd: checkoutRoot(), reject: false, cancelSignal: signal } as const;
  const { exitCode, signal: killedBy, stdout, failed } = await execa(file, args, options);
  signal.throwIfAborted();
  const found = killedBy ?? `exit code ${exitCode}`;
  if (failed && exitCode !== 1) throw new BoundaryError('task', { code: 'E_DEMO', what: `Cannot ${what}`, found });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

export interface Service extends AsyncDisposable {
  /** The JSON line by which the service said that it is ready. */
  readonly ready: unknown;
}

/** Starts a service and waits for the JSON line that says it is ready; disposal ends it and waits. */
export async function startService(program: Program): Promise<Service> {
  const [file, args] = tied(program);
  const child = execa(file, args, { ...common, cwd: checkoutRoot(), reject: false, cancelSignal: interruptSignal() });
  const stop = async () => {
    child.kill('SIGTERM');
    await child;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return { ready: JSON.parse(line), [Symbol.asyncDispose]: stop };
  }
  const { exitCode } = await child;
  const found = `exit code ${exitCode ?? 'none'}`;
  throw new BoundaryError('bridge', { code: 'E_DEMO', what: 'The server ended before it was ready', found });
}
