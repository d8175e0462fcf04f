import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sandbox } from '../sandbox/index.ts';
import { fillTemplate, type SetupOperation, type Task, type WorkerOperation } from '../task/index.ts';
import { Player, type Role, Terminals } from '../terminal/index.ts';
import { DebugLog, listPanesCommand, parsePanes, type TmuxCommand } from '../tmux/index.ts';
import { type BlankWorld, within } from './blank-world.ts';
import { playWorkers, workerArgv } from './workers.ts';

/** A world in which a task is posed and the agent has not acted yet. */
export interface World extends BlankWorld {
  /** Plays the panes' programs; null where nothing is played after set-up. */
  readonly player: Player | null;
  /** Ends the world and gives everything back. Idempotent. */
  close(): Promise<void>;
}

const setUpLimitMs = 60_000;

/**
 * Poses a task in a blank world, which it takes over. Nothing secret stands in a command line, an environment, a file
 * (but where the task puts it) or tmux's message log. Throws a BoundaryError, and leaves nothing, where the world does
 * not come to show what the plan says.
 */
export async function poseTask(blank: BlankWorld, task: Task, secrets: readonly string[]): Promise<World> {
  try {
    return await within(setUpLimitMs, setUp(blank, task, secrets));
  } catch (error) {
    await blank.sandbox.close();
    throw error;
  }
}

async function setUp(blank: BlankWorld, task: Task, secrets: readonly string[]): Promise<World> {
  const fill = (template: string): string => fillTemplate(template, secrets);
  for (const operation of task.plan) {
    if (operation.type === 'file') writeFile(blank.sandbox, operation.path, fill(operation.content));
  }
  const roles = await setUpServer(blank, task.plan, fill);
  const terminals = new Terminals(blank.sandbox, blank.server.pid);
  const log = task.debugLog ? await DebugLog.open(blank.sandbox, blank.server) : null;
  const player = log === null ? null : new Player(terminals, log, roles);
  return {
    ...blank,
    player,
    close: async () => {
      player?.close();
      log?.close();
      await blank.sandbox.close();
    },
  };
}

async function setUpServer(
  blank: BlankWorld,
  plan: readonly SetupOperation[],
  fill: (template: string) => string,
): Promise<readonly Role[]> {
  const commands = plan.flatMap((operation) => commandsOf(operation, blank.sandbox, fill));
  if (commands.length === 0) return [];
  const panes = parsePanes(await blank.server.run([...commands, listPanesCommand]));
  const workers = plan.filter((operation): operation is WorkerOperation => operation.type === 'worker');
  const roles = await playWorkers(blank, workers, panes, fill);
  await blank.server.run(clearMessages);
  return roles;
}

/** The message log would show what was set: forget it, then restore its length. */
const clearMessages: readonly TmuxCommand[] = [
  ['set-option', '-s', 'message-limit', '0'],
  ['set-option', '-s', 'message-limit', '1000'],
];

function writeFile(sandbox: Sandbox, path: string, content: string): void {
  const full = join(sandbox.home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content, { flag: 'wx' });
  if (process.getuid?.() !== 0) return;
  for (let each = path; each !== '.'; each = dirname(each))
    chownSync(join(sandbox.home, each), sandbox.uid, sandbox.uid);
}

function commandsOf(
  operation: SetupOperation,
  sandbox: Sandbox,
  fill: (template: string) => string,
): readonly TmuxCommand[] {
  switch (operation.type) {
    case 'file':
      return [];
    case 'shell':
      return [];
    case 'tmux':
      return [operation.argv.map(fill)];
    case 'option':
      return [['set-option', '-g', operation.name, fill(operation.value)]];
    case 'window':
      return [newWindow(operation.name, sandbox, ['bash', '--norc', '--noprofile'])];
    case 'worker': {
      const start = newWindow(operation.name, sandbox, workerArgv(sandbox, operation.name));
      const keep = ['set-option', '-w', '-t', `=main:=${operation.name}`, 'remain-on-exit', 'on'];
      return operation.dead === null ? [start] : [start, keep];
    }
  }
}

function newWindow(name: string, sandbox: Sandbox, argv: readonly string[]): TmuxCommand {
  return ['new-window', '-d', '-t', '=main:', '-n', name, '-c', sandbox.homeInside, ...argv];
}
