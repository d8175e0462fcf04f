import { BoundaryError } from '../errors.ts';
import { pause, type Sandbox } from '../sandbox/index.ts';
import { fillDeep, fillTemplate, type WorkerOperation } from '../task/index.ts';
import { type Role, Terminals } from '../terminal/index.ts';
import type { PaneState } from '../tmux/index.ts';
import type { BlankWorld } from './blank-world.ts';

/** A worker of the plan, with its secrets filled in, and the pane that it was given. */
interface Worker {
  readonly operation: WorkerOperation;
  readonly screen: readonly string[];
  readonly pane: PaneState;
  readonly role: Role;
}

const readyLimitMs = 20_000;
const lowSignal = 34;
const highSignal = 50;
const sigchld = 17;

/**
 * Gives the plan's workers their first screens, ends those that are to be found dead, and proves both by asking tmux.
 * Returns the roles that the gym plays from then on. Throws a BoundaryError where the world does not come to show it.
 */
export async function playWorkers(
  blank: BlankWorld,
  operations: readonly WorkerOperation[],
  panes: readonly PaneState[],
  secrets: readonly string[],
): Promise<readonly Role[]> {
  const workers = operations.map((operation) => makeWorker(blank.sandbox, operation, panes, secrets));
  const terminals = new Terminals(blank.sandbox, blank.server.pid);
  await until('the holders', () => workers.every(({ pane }) => isHolderReady(blank.sandbox, pane.pid)));
  for (const worker of workers) printScreen(terminals, worker);
  await until('the screens', () => areScreensShown(blank, workers));
  const ending = workers.filter(({ operation }) => operation.dead !== null);
  for (const { operation, pane } of ending) endHolder(blank.sandbox, pane.pid, operation.dead?.status ?? 0);
  await until('the dead panes', () => areDead(blank, ending));
  return workers.map(({ role }) => role);
}

/** The start command of a worker's pane. */
export function workerArgv(sandbox: Sandbox, name: string): readonly string[] {
  return [sandbox.holderInside, name];
}

function makeWorker(
  sandbox: Sandbox,
  operation: WorkerOperation,
  panes: readonly PaneState[],
  secrets: readonly string[],
): Worker {
  const fill = (template: string): string => fillTemplate(template, secrets);
  const argv = workerArgv(sandbox, operation.name);
  const pane = panes.find(({ start }) => start === argv.join(' '));
  if (pane === undefined) throw broken(`worker "${operation.name}"`, 'no such pane');
  const role: Role = {
    worker: operation.name,
    pane: pane.pane,
    argv,
    pid: operation.dead === null ? pane.pid : null,
    restart: operation.restart.map(fill),
    acts: fillDeep(operation.acts ?? [], secrets),
    starts: fillDeep(operation.starts ?? [], secrets),
    hears: fillDeep(operation.hears ?? [], secrets),
  };
  return { operation, screen: operation.screen.map(fill), pane, role };
}

/** The holder sets a handler last of all (native/holder.c). */
function isHolderReady(sandbox: Sandbox, pid: number): boolean {
  const mask = /^SigCgt:\t([0-9a-f]{16})$/m.exec(sandbox.processes.read(pid, 'status') ?? '')?.[1];
  return mask !== undefined && ((BigInt(`0x${mask}`) >> BigInt(lowSignal - 1)) & 1n) === 1n;
}

function printScreen(terminals: Terminals, { pane, role, screen, operation }: Worker): void {
  const opened = terminals.open({ pid: pane.pid, pane: pane.pane, argv: role.argv });
  if (opened.type === 'refused') throw broken(`the terminal of "${operation.name}"`, opened.refusal);
  const written = opened.terminal.write(screen.map((line) => `${line}\n`).join(''));
  opened.terminal.close();
  if (written.type !== 'written') throw broken(`the terminal of "${operation.name}"`, written.type);
}

async function areScreensShown({ server }: BlankWorld, workers: readonly Worker[]): Promise<boolean> {
  const shown = workers.filter(({ screen }) => screen.length > 0);
  if (shown.length === 0) return true;
  // Joined and with what scrolled away: a screen may be larger than its pane.
  const text = await server.run(shown.map(({ pane }) => ['capture-pane', '-p', '-J', '-S', '-', '-t', pane.pane]));
  return shown.every(({ screen }) => text.includes(screen.map((line) => `${line}\n`).join('')));
}

function endHolder(sandbox: Sandbox, pid: number, status: number): void {
  sandbox.launcher.signal(pid, lowSignal + (status & 15));
  sandbox.launcher.signal(pid, highSignal + (status >> 4));
}

/**
 * tmux can miss the end of a pane's program when it reads the end of its output first: the pane is dead then, without a
 * status. Another SIGCHLD makes it look again.
 */
async function areDead({ sandbox, server }: BlankWorld, ending: readonly Worker[]): Promise<boolean> {
  if (ending.length === 0) return true;
  sandbox.launcher.signal(server.pid, sigchld);
  const panes = new Map((await server.listPanes()).map((state) => [state.pane, state]));
  return ending.every(({ pane, operation }) => {
    const state = panes.get(pane.pane);
    return state?.dead === true && state.deadStatus === (operation.dead?.status ?? null);
  });
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + readyLimitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw broken(what, 'not ready');
    await pause(1);
  }
}

function broken(where: string, found: string): BoundaryError {
  return new BoundaryError('tmux', { code: 'E_SETUP', what: 'Cannot set the world up', where, found });
}
