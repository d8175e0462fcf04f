import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { BoundaryError } from '../../errors.ts';
import { type Exit, heldSocket, type Launched, type Launcher } from '../launcher.ts';
import { pause } from '../pause.ts';
import type { Sandbox, SandboxEnd } from '../sandbox.ts';
import { weakenView } from './views.ts';
import type { Weakness } from './weakness.ts';

/** How long a reader or a writer that blocks is let hang, in real milliseconds. */
const hangMs = 3_000;
const lateMs = 2_000;
/** Sooner than the gym looks what holds a client up. */
const slowMs = 100;
const reportName = 'report.txt';

/** A sandbox whose gym has one bad habit; the sandbox itself where the weakness is no habit. */
export function takeUpHabit(sandbox: Sandbox, weakness: Weakness): Sandbox {
  switch (weakness) {
    case 'naive-reader':
      return over(sandbox, { kill: () => readNaively(sandbox) });
    case 'grades-inside':
      return over(sandbox, { kill: () => readInside(sandbox) });
    case 'asks-by-name':
      return over(sandbox, { launcher: change(sandbox.launcher, { run: runByName(sandbox.launcher) }) });
    case 'trusts-killed-clients':
      return over(sandbox, { launcher: change(sandbox.launcher, { run: runTrusting(sandbox.launcher) }) });
    case 'message-record':
      return over(sandbox, { kill: () => keepMessages(sandbox) });
    case 'grades-late':
      return over(sandbox, { kill: () => pause(lateMs).then(() => sandbox.kill()) });
    case 'blames-itself':
      return over(sandbox, { launcher: makeBlaming(sandbox.launcher), kill: () => killBlaming(sandbox) });
    case 'waits-for-terminals':
      return over(sandbox, { writeTerminal: writePatiently });
    case 'attached':
      attach(sandbox);
      return sandbox;
    default:
      return over(sandbox, { processes: weakenView(sandbox, weakness) });
  }
}

function over(sandbox: Sandbox, part: Partial<Sandbox>): Sandbox {
  return Object.create(sandbox, Object.getOwnPropertyDescriptors(part)) as Sandbox;
}

async function readNaively(sandbox: Sandbox): Promise<SandboxEnd> {
  const end = await sandbox.kill();
  // The held path names the process that reads it, and the reader is another.
  const path = join(sandbox.home.replace('/self/', `/${process.pid}/`), reportName);
  replaceReport(path, readAsAnyProgram(path));
  return end;
}

/** Null where it cannot be opened, or hangs. */
function readAsAnyProgram(path: string): Buffer | null {
  try {
    return execFileSync('head', ['-c', '65536', path], { timeout: hangMs, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null; // a reader without a plan for what it meets
  }
}

async function readInside(sandbox: Sandbox): Promise<SandboxEnd> {
  const command = 'PATH=$HOME/bin:$PATH; cat "$REPORT"';
  const { output } = await sandbox.launcher.run({ argv: ['bash', '-c', command] }).exited;
  const end = await sandbox.kill();
  replaceReport(join(sandbox.home, reportName), output);
  return end;
}

/** As a blocking descriptor would: nothing else of the gym runs meanwhile. */
function writePatiently(descriptor: number, bytes: Uint8Array): number {
  const deadline = performance.now() + hangMs;
  for (;;) {
    try {
      return writeSync(descriptor, bytes);
    } catch (error) {
      const full = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!full || performance.now() > deadline) throw error;
    }
  }
}

async function keepMessages(sandbox: Sandbox): Promise<SandboxEnd> {
  // A client in control mode goes at the end of its input, with or without its answer: the input is held until then.
  const input = '{ printf "show-messages\\nwait-for -S kept\\n"; tmux -N wait-for kept; }';
  const command = `${input} | tmux -N -C attach-session -t main > commands.log`;
  await sandbox.launcher.run({ argv: ['bash', '-c', command] }).exited;
  return await sandbox.kill();
}

function replaceReport(path: string, text: Buffer | null): void {
  rmSync(path, { recursive: true, force: true });
  if (text !== null) writeFileSync(path, text);
}

/** Any command that did not end well was the machine's fault. */
function makeBlaming(launcher: Launcher): Launcher {
  const blame = (exit: Exit): Exit => {
    if (exit.code < 128 && !(exit.code !== 0 && exit.output.length === 0)) return exit;
    throw new BoundaryError('sandbox', { code: 'E_SANDBOX', what: 'A command did not end well' });
  };
  const run: Launcher['run'] = (options) => {
    const launched: Launched = launcher.run(options);
    if (options.argv[0] === 'bash') return { ...launched, exited: launched.exited.then(blame) };
    return options.argv.includes(heldSocket) ? { ...launched, exited: blameSlow(launched) } : launched;
  };
  return change(launcher, { run });
}

function runByName(launcher: Launcher): Launcher['run'] {
  return ({ argv, ...options }) => {
    const at = argv.indexOf(heldSocket);
    return launcher.run({ ...options, argv: at < 0 ? argv : [...argv.slice(0, at - 1), ...argv.slice(at + 1)] });
  };
}

/** A client that does not answer was the machine's fault, too. */
async function blameSlow({ exited }: Launched): Promise<Exit> {
  const slow = pause(slowMs).then(() => null);
  exited.catch(() => undefined); // once it was blamed, nobody waits for it
  const exit = await Promise.race([exited, slow]);
  if (exit !== null) return exit;
  throw new BoundaryError('tmux', { code: 'E_TMUX', what: 'A client of tmux does not answer' });
}

function runTrusting(launcher: Launcher): Launcher['run'] {
  const trust = (exit: Exit): Exit => (exit.code < 128 ? exit : { ...exit, code: 1, output: Buffer.from('failed') });
  return (options) => {
    const launched = launcher.run(options);
    return options.argv.includes(heldSocket) ? { ...launched, exited: launched.exited.then(trust) } : launched;
  };
}

/** The same launcher with some methods in the place of its own. */
function change(launcher: Launcher, part: Partial<Launcher>): Launcher {
  return new Proxy(launcher, {
    get: (target, name) => {
      if (name in part) return Reflect.get(part, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function killBlaming(sandbox: Sandbox): Promise<SandboxEnd> {
  const { processes } = sandbox;
  const served = processes.pids().some((pid) => processes.read(pid, 'comm')?.startsWith('tmux: server'));
  const end = await sandbox.kill();
  return served && end.type !== 'inside' ? end : { type: 'outside', how: 'the world was found broken' };
}

/** A control-mode client that comes as soon as there is a server. */
function attach({ launcher }: Sandbox): void {
  const script =
    'until tmux -N has-session 2>/dev/null; do perl -e "select(undef, undef, undef, .01)"; done; tail -f /dev/null | tmux -N -C attach-session -t main';
  launcher.run({ argv: ['sh', '-c', script] }).exited.catch(() => {}); // it ends with the sandbox
}
