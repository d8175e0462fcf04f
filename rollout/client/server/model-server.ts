import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setInterval } from 'node:timers/promises';
import { BoundaryError } from '../../../env/index.ts';
import { readCheckpoint } from './checkpoint.ts';
import { makeServerCommand, type ServerCommand, type ServerKind } from './command.ts';
import { type ProcessGroup, startProcessGroup } from './process-group.ts';

export interface ModelServerOptions {
  /** A folder with a saved model and its tokenizer. */
  readonly checkpoint: string;
  /** @default 'transformers' */
  readonly kind?: ServerKind;
  /** Receives what the server prints. */
  readonly logFile: string;
  /** Real milliseconds until the server must answer. @default 300000 */
  readonly startMs?: number;
  /** Ends the start. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

/** A running server. It ends with this process, however that ends. */
export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** The name under which the server knows the checkpoint: its path. */
  readonly model: string;
  /** Stops the server and all that it started. Idempotent. */
  stop(): Promise<void>;
}

/** Real milliseconds that a server may take to end by itself. */
const graceMs = 10_000;

/**
 * Serves a checkpoint folder on a free loopback port and waits until it is healthy. Throws an InputError for a folder
 * that holds no checkpoint (`E_CHECKPOINT`) or a program that is missing (`E_SERVER`), and a BoundaryError (`model`,
 * `E_MODEL_SERVER`, with the log's tail) where the server ends or does not answer in time. Leaves nothing behind then.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { kind = 'transformers', checkpoint, ...rest } = options;
  const { folder } = readCheckpoint(checkpoint);
  const command = (port: number) => makeServerCommand(kind, folder, port);
  const server = await startServer({ ...rest, command, label: `${kind} for ${folder}` });
  return { ...server, model: folder };
}

export interface ServerStart extends Pick<ModelServerOptions, 'logFile' | 'startMs' | 'signal' | 'onProgress'> {
  /** Of a server of the OpenAI protocol with `/health`, on that loopback port. */
  readonly command: (port: number) => ServerCommand;
  /** What is started, for messages. */
  readonly label: string;
}

/** Starts any server on a free loopback port and waits until it is healthy; throws and cleans up as above. */
export async function startServer(options: ServerStart): Promise<Omit<ModelServer, 'model'>> {
  const { logFile, startMs = 300_000, onProgress = () => undefined } = options;
  const port = await findFreePort();
  const group = startProcessGroup({ ...options.command(port), logFile });
  const stop = () => group.stop(graceMs);
  onProgress(`model server: starting ${options.label} on port ${port}, log in ${logFile}`);
  try {
    const seconds = await waitForHealth({ group, port, startMs, onProgress, signal: options.signal, logFile });
    onProgress(`model server: healthy after ${seconds} s`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1`, stop, [Symbol.asyncDispose]: stop };
}

interface HealthWait {
  readonly group: ProcessGroup;
  readonly port: number;
  readonly startMs: number;
  readonly logFile: string;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (line: string) => void;
}

/** HTTP offers no notice of readiness, so this asks four times a second. Returns the seconds that it took. */
async function waitForHealth(wait: HealthWait): Promise<number> {
  const begin = performance.now();
  const elapsed = () => Math.round((performance.now() - begin) / 1_000);
  const exit = wait.group.ended.then((end) => ({ end }));
  let told = 0;
  for await (const _ of setInterval(250)) {
    wait.signal?.throwIfAborted();
    const state = await Promise.race([exit, isHealthy(wait.port)]);
    if (state === true) return elapsed();
    if (state !== false) throw startError(wait, `an end with ${describeEnd(state.end)} after ${elapsed()} s`);
    if (elapsed() * 1_000 > wait.startMs) throw startError(wait, `no answer on port ${wait.port} after ${elapsed()} s`);
    if (elapsed() >= told + 5) {
      told = elapsed();
      wait.onProgress(`model server: starting, ${told} s: ${readTail(wait.logFile, 1).slice(0, 160)}`);
    }
  }
  throw new Error('Cannot wait for a model server: the interval ended');
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return false; // not listening yet
    throw error;
  }
}

function describeEnd({ exitCode, signal }: { exitCode: number | null; signal: string | null }): string {
  return signal === null ? `exit code ${exitCode}` : signal;
}

function startError({ logFile }: HealthWait, found: string): BoundaryError {
  const tail = readTail(logFile, 15).replaceAll('\n', '\n  ');
  return new BoundaryError('model', {
    code: 'E_MODEL_SERVER',
    what: 'The model server did not start',
    where: logFile,
    expected: 'a healthy server',
    found,
    hint: `the log ends with\n  ${tail}`,
  });
}

/** The last lines of a log. */
function readTail(logFile: string, lines: number): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

/** A port that was free a moment ago; the server says so in its log if another took it meanwhile. */
async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('Cannot find a free port');
  return address.port;
}
