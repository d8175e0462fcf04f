import { createInterface } from 'node:readline';
import { execa } from 'execa';

export interface ProgramOptions {
  /** A command line for /bin/sh. */
  readonly command: string;
  /** Added to our own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Real milliseconds without a line after which the program is ended. */
  readonly silenceMs: number;
  /** Ends the program. */
  readonly signal: AbortSignal;
}

/** How the program ended. */
export interface ProgramEnd {
  /** Null after a signal. */
  readonly exitCode: number | null;
  /** Whether it was ended since it said nothing for too long. */
  readonly silent: boolean;
  /** The tail of its standard error. */
  readonly errorTail: string;
}

/** A program that speaks JSON lines over its standard input and output. It ends with us, however we end. */
export interface ScaffoldProgram extends AsyncDisposable {
  /** The lines that it prints, until it closes its output or is ended. */
  readonly lines: AsyncIterable<string>;
  send(value: object): void;
  /** Closes its input, waits up to `graceMs` for its end, then kills its group. Idempotent. */
  end(graceMs: number): Promise<ProgramEnd>;
}

/** Kills its whole group at the end of descriptor 3, which is ours however we end; holds none of its pipes. */
const guard = '(exec >/dev/null 2>&1 </dev/null; cat <&3; kill -KILL 0) & exec 3<&-; exec /bin/sh -c "$1"';

const tailLength = 2_000;

export function startScaffoldProgram({ command, env, silenceMs, signal }: ProgramOptions): ScaffoldProgram {
  const child = execa('/bin/sh', ['-c', guard, 'muxgym-scaffold', command], {
    detached: true,
    reject: false,
    buffer: false,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { ...env },
  });
  let errorTail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorTail = (errorTail + text).slice(-tailLength);
  });
  // A program that ends while it is written to is told by the end of its lines.
  child.stdin?.on('error', () => undefined);
  const kill = () => killGroup(child.pid);
  const silence = new Silence(silenceMs, kill);
  process.once('exit', kill);
  signal.addEventListener('abort', kill, { once: true });

  const finish = async (graceMs: number): Promise<ProgramEnd> => {
    silence.stop();
    child.stdin?.end();
    child.stdout?.resume();
    const timer = setTimeout(kill, graceMs);
    const { exitCode } = await child;
    clearTimeout(timer);
    kill();
    process.off('exit', kill);
    signal.removeEventListener('abort', kill);
    return { exitCode: exitCode ?? null, silent: silence.broken, errorTail: errorTail.trim() };
  };
  let ending: Promise<ProgramEnd> | undefined;
  const end = (graceMs: number) => (ending ??= finish(graceMs));
  return {
    lines: readLines(child.stdout, silence),
    send: (value) => void child.stdin?.write(`${JSON.stringify(value)}\n`),
    end,
    [Symbol.asyncDispose]: async () => {
      kill();
      await end(0);
    },
  };
}

async function* readLines(output: NodeJS.ReadableStream | null, silence: Silence): AsyncGenerator<string> {
  if (output === null) return;
  silence.begin();
  for await (const line of createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY })) {
    silence.stop();
    if (line.trim() !== '') yield line;
    silence.begin();
  }
  silence.stop();
}

/** Watches how long nothing comes while something is awaited. */
class Silence {
  readonly #limitMs: number;
  readonly #onBroken: () => void;
  #timer: NodeJS.Timeout | undefined;
  broken = false;

  constructor(limitMs: number, onBroken: () => void) {
    this.#limitMs = limitMs;
    this.#onBroken = onBroken;
  }

  begin(): void {
    this.#timer = setTimeout(() => {
      this.broken = true;
      this.#onBroken();
    }, this.#limitMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A group that is gone needs no signal. */
function killGroup(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(-id, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
