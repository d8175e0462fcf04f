import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Place, ruleOf } from '../events/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import {
  fillDeep,
  fillTemplate,
  type SetupOperation,
  type Task,
  type TaskEvent,
  type WorkerOperation,
} from '../task/index.ts';
import { type Cue, Player, type Role, Terminals } from '../terminal/index.ts';
import { DebugLog, listPanesCommand, type PaneState, parsePanes, type TmuxCommand } from '../tmux/index.ts';
import { type BlankWorld, within } from './blank-world.ts';
import { runPlanCommands } from './plan-commands.ts';
import { runShellSetup } from './shell-setup.ts';
import { playWorkers, workerArgv } from './workers.ts';

/** A world in which a task is posed and the agent has not acted yet. */
export interface World extends BlankWorld {
  /** Plays the panes' programs and keeps the record; null where the task needs neither. */
  readonly play: Play | null;
  /** Ends the world and gives everything back. Idempotent. */
  close(): Promise<void>;
}

/** What goes on in a world beside what the agent does. */
export interface Play {
  readonly log: DebugLog;
  readonly player: Player;
  /** Where each worker is when the agent first acts. */
  readonly places: ReadonlyMap<string, Place>;
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
  const { sandbox } = blank;
  const fill = (template: string): string => fillTemplate(template, secrets);
  for (const operation of task.plan) {
    if (operation.type === 'file') writeFile(sandbox, operation.path, fill(operation.content));
  }
  const { panes, roles } = await setUpServer(blank, task, secrets);
  const play = task.debugLog ? await openPlay(blank, task, { panes, roles, secrets }) : null;
  return {
    ...blank,
    play,
    close: async () => {
      play?.player.close();
      play?.log.close();
      await sandbox.close();
    },
  };
}

interface Cast {
  readonly panes: readonly PaneState[];
  readonly roles: readonly Role[];
}

async function setUpServer(blank: BlankWorld, task: Task, secrets: readonly string[]): Promise<Cast> {
  const kept = keptWorkers(task);
  const fill = (template: string): string => fillTemplate(template, secrets);
  const commands = task.plan.flatMap((operation) => commandsOf(operation, blank.sandbox, { fill, kept }));
  if (task.plan.every(({ type }) => type === 'file') && !task.debugLog) return { panes: [], roles: [] };
  const panes = parsePanes(await runPlanCommands(blank, [...commands, listPanesCommand]));
  const workers = task.plan.filter((operation): operation is WorkerOperation => operation.type === 'worker');
  const roles = await playWorkers(blank, workers, panes, secrets);
  const changed = await runShellSetup(blank, task);
  await blank.server.run(clearMessages);
  return { panes: changed ? await blank.server.listPanes() : panes, roles };
}

async function openPlay(
  { sandbox, server }: BlankWorld,
  task: Task,
  { panes, roles, secrets }: Cast & { readonly secrets: readonly string[] },
): Promise<Play> {
  const terminals = new Terminals(sandbox, server.pid);
  const log = await DebugLog.open(sandbox, server, panes);
  const cues = task.events.map((event) => makeCue(event, secrets));
  const player = new Player({ sandbox, serverPid: server.pid, terminals, roles, cues });
  const places = new Map(
    roles.flatMap(({ worker, pane }) => {
      const found = panes.find((state) => state.pane === pane);
      return found === undefined ? [] : [[worker, { pane, window: found.window }] as const];
    }),
  );
  return { log, player, places };
}

function makeCue(event: TaskEvent, secrets: readonly string[]): Cue {
  const { id, worker, atMs } = event;
  return { event: id, worker, atMs, ...fillDeep(ruleOf(event).stage(event), secrets) };
}

/** Workers whose pane must outlive their program: those that can end, or that are to be restarted. */
function keptWorkers({ plan, events }: Task): ReadonlySet<string> {
  const living = plan.flatMap((operation) => {
    if (operation.type !== 'worker') return [];
    const { name, dead, acts, starts, hears } = operation;
    return dead !== null || acts !== undefined || starts !== undefined || hears !== undefined ? [name] : [];
  });
  return new Set([...living, ...events.map(({ worker }) => worker)]);
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
  { fill, kept }: { readonly fill: (template: string) => string; readonly kept: ReadonlySet<string> },
): readonly TmuxCommand[] {
  switch (operation.type) {
    case 'file':
    case 'shell':
      return [];
    case 'tmux':
      return [operation.argv.map(fill)];
    case 'option':
      return [['set-option', '-g', operation.name, fill(operation.value)]];
    case 'window': {
      const { name, session = mainSession } = operation;
      return [newWindow(name, session, sandbox, ['bash', '--norc', '--noprofile'])];
    }
    case 'worker': {
      const { name, split, session = mainSession } = operation;
      const argv = workerArgv(sandbox, name);
      const window = `=${session}:=${split ?? name}`;
      const start =
        split === undefined
          ? newWindow(name, session, sandbox, argv)
          : ['split-window', '-d', '-t', window, '-c', sandbox.homeInside, ...argv];
      return kept.has(name) ? [start, ['set-option', '-w', '-t', window, 'remain-on-exit', 'on']] : [start];
    }
  }
}

const mainSession = 'main';

function newWindow(name: string, session: string, sandbox: Sandbox, argv: readonly string[]): TmuxCommand {
  return ['new-window', '-d', '-t', `=${session}:`, '-n', name, '-c', sandbox.homeInside, ...argv];
}
