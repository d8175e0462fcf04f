import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

export interface GroupOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** Added to our own environment. @default nothing */
  readonly env?: Readonly<Record<string, string>>;
  /** Receives standard output and error. */
  readonly logFile: string;
}

/** How a program ended by itself. */
export interface GroupExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why it could not be started, where that is known. */
  readonly message: string;
}

/** A program and all that it starts, in a process group that ends with us. */
export interface ProcessGroup {
  readonly id: number;
  /** Settles when the program has ended, for whatever reason. Never rejects. */
  readonly ended: Promise<GroupExit>;
  /** Asks the group to end, waits up to `graceMs` for the program, then kills the group. Idempotent. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Holds the group's standard input: at its end, which is ours however we end, a SIGKILL of this process included, the
 * whole group is killed, and a process outside of the group then removes its temporary files.
 */
const guard = `
exec 3<&0 0</dev/null
setsid sh -c 'cat >/dev/null; while kill -0 -- "-$1" 2>/dev/null; do sleep 0.1; done; rm -rf -- "$TMPDIR"' \\
  muxgym-remover "$$" <&3 3<&- >/dev/null 2>&1 &
(cat <&3 >/dev/null && kill -KILL 0) &
trap : TERM
"$@" 3<&- &
child=$!
wait "$child"; status=$?
while kill -0 "$child" 2>/dev/null; do wait "$child"; status=$?; done
exit "$status"
`;

/**
 * Starts a program as the leader's child in a process group of its own, with a TMPDIR of its own: servers leave sockets
 * and caches there. A missing program ends with exit code 127.
 */
export function startProcessGroup(options: GroupOptions): ProcessGroup {
  const temporary = mkdtempSync(join(tmpdir(), 'muxgym-model-'));
  const child = execa('/bin/sh', ['-c', guard, 'muxgym-guard', options.program, ...options.args], {
    detached: true,
    reject: false,
    buffer: false,
    env: { ...options.env, TMPDIR: temporary },
    stdin: 'pipe',
    stdout: { file: options.logFile, append: true },
    stderr: { file: options.logFile, append: true },
  });
  const id = child.pid;
  if (id === undefined) throw new Error('Cannot start /bin/sh');
  const ended = child.then(({ exitCode, signal, shortMessage }) => ({
    exitCode: exitCode ?? null,
    signal: signal ?? null,
    message: shortMessage ?? '',
  }));
  const killAtExit = () => signalGroup(id, 'SIGKILL');
  process.once('exit', killAtExit);

  let stopping: Promise<void> | undefined;
  const stop = async (graceMs: number) => {
    signalGroup(id, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(id, 'SIGKILL'), graceMs);
    await ended;
    clearTimeout(timer);
    signalGroup(id, 'SIGKILL');
    rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
    process.off('exit', killAtExit);
  };
  return { id, ended, stop: (graceMs) => (stopping ??= stop(graceMs)) };
}

/** A group that is gone needs no signal. */
function signalGroup(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-id, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The living members of a process group, for tests and messages. */
export function listGroup(id: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readGroupOf(pid) === id)
    .map(Number);
}

function readGroupOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : Number(fields[2]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}
