import type { ProcessView } from '../process-view.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Weakness } from './weakness.ts';

const fewProcesses = 64;

/** The processes of a sandbox as a careless gym would see them. */
export function weakenView(sandbox: Sandbox, weakness: Weakness): ProcessView {
  const view = sandbox.processes;
  const keep: ProcessView = {
    pids: () => view.pids(),
    read: (pid, file) => view.read(pid, file),
    readMemory: (pid, address, size) => view.readMemory(pid, address, size),
    threads: (pid) => view.threads(pid),
    executable: (pid) => view.executable(pid),
  };
  switch (weakness) {
    case 'believes-claims':
      return { ...keep, pids: () => hideLaterClaims(view, sandbox.holderKey) };
    case 'blind-clock':
      return { ...keep, read: (pid, file) => seeAsleep(view, pid, file), threads: () => [] };
    case 'literal-clock':
      return { ...keep, read: (pid, file) => view.read(pid, file)?.replace(/^State:\t[TD]/m, 'State:\tR') ?? null };
    case 'short-sighted-clock':
      return { ...keep, pids: () => hideMany(sandbox), threads: () => [] };
    case 'fragile-clock':
      return { ...keep, readMemory: (pid, address, size) => mustRead(view, pid, address, size) };
    default:
      return view;
  }
}

/** Of several holders with one command line only the first is seen. */
function hideLaterClaims(view: ProcessView, holderKey: string): readonly number[] {
  const seen = new Set<string>();
  return view.pids().filter((pid) => {
    if (view.executable(pid) !== holderKey) return true;
    const line = view.read(pid, 'cmdline') ?? '';
    const known = seen.has(line);
    seen.add(line);
    return !known;
  });
}

/** Every process sleeps and has never run; what it waits for cannot be seen. */
function seeAsleep(view: ProcessView, pid: number, file: string): string | null {
  if (file === 'status') return `State:\tS\nPid:\t${pid}\nThreads:\t1\nvoluntary_ctxt_switches:\t0\n`;
  if (file === 'timers') return '';
  return view.read(pid, file);
}

function hideMany(sandbox: Sandbox): readonly number[] {
  const view = sandbox.processes;
  return view
    .pids()
    .slice(0, fewProcesses)
    .filter((pid) => view.executable(pid) !== sandbox.timeoutKey);
}

function mustRead(view: ProcessView, pid: number, address: bigint, size: number): Buffer {
  const bytes = view.readMemory(pid, address, size);
  if (bytes === null) throw new Error(`Cannot read the memory of process ${pid}`);
  return bytes;
}
