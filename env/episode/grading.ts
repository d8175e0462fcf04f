import type { Ending, Evidence } from '../evidence/index.ts';
import { type Grade, gradeChecks, type ProbeSources, readProbes, scoreOp } from '../grade/index.ts';
import { readStat } from '../sandbox/index.ts';
import { fillTemplate, type Task } from '../task/index.ts';
import { FrozenWorld, ShellProbes, type World } from '../world/index.ts';
import { notAsked, Questions } from './questions.ts';
import type { EpisodeStage } from './stage.ts';

export interface GradingOptions {
  readonly task: Task;
  readonly secrets: readonly string[];
  readonly world: World;
  readonly evidence: Evidence;
  readonly stage: EpisodeStage | null;
  readonly nowMs: number;
  readonly ending: Ending;
  readonly tickOf: (ms: number) => number;
  readonly shaping: boolean;
  /** Ends the world. */
  readonly end: () => Promise<void>;
  /** A last look for reactions, once the world has ended. */
  readonly lookForReactions: () => void;
}

/**
 * Grades a world: freezes it, asks tmux what the checks need (only where the record is clean), ends it, reads the rest.
 */
export async function gradeEpisode(options: GradingOptions): Promise<Grade> {
  const { task, secrets, world, evidence, stage, nowMs, shaping } = options;
  stage?.readRecord(nowMs);
  const asks = task.checks.some(({ probe }) => probe.type === 'tmux' || probe.type === 'shell');
  const frozen = asks && evidence.tamper.isClean ? await FrozenWorld.freeze(world) : null;
  if (task.debugLog && hasOtherServer(world)) evidence.tamper.flag('server-replaced');
  if (frozen !== null) stage?.readRecord(nowMs);
  const reads = await readProbes(task.checks, secrets, sourcesOf(options, frozen));
  const events = evidence.results(options.ending, options.tickOf);
  return gradeChecks({ task, secrets, reads, flags: evidence.tamper.flags, events, shaping });
}

function sourcesOf(options: GradingOptions, frozen: FrozenWorld | null): ProbeSources {
  const { world, evidence, stage, nowMs, ending, tickOf } = options;
  // Checks of the published format name events that the set-up makes, which nobody watches.
  const watched = new Set(options.task.events.map(({ id }) => id));
  // Queries of the published format run commands of their own, any number of them.
  const isWatched = !options.task.checks.some(({ probe }) => probe.type === 'shell');
  const questions = new Questions({ frozen, stage: isWatched ? stage : null, evidence });
  return {
    askTmux: (argv) => questions.ask(argv),
    askStill: (ask) => questions.untilStill(ask),
    onAsked: ({ role, event, op, expect }, read) => {
      if (role !== 'react' || event === null || !watched.has(event)) return;
      const expected = expect.map((template) => fillTemplate(template, options.secrets));
      const holds = read.type === 'text' && scoreOp(op, read.text, expected) === 1;
      if (holds && evidence.hasFired(event)) evidence.reacted(event, nowMs);
    },
    runShell: frozen === null ? async () => notAsked : shellRunner(options),
    end: async () => {
      await options.end();
      if (frozen === null) stage?.readRecord(nowMs);
      else stage?.watch();
      options.lookForReactions();
    },
    home: () => world.sandbox.home,
    heard: (worker, line) => world.play?.player.heard(worker, line) ?? 0,
    started: (worker) => world.play?.player.started(worker) ?? 0,
    event: (id) => evidence.results(ending, tickOf).find((result) => result.id === id) ?? null,
    commands: (name) => evidence.commands(name),
  };
}

/** Queries of the published format see the agent's commands up to the freeze, none of the gym's. */
function shellRunner({ world, evidence }: GradingOptions): ProbeSources['runShell'] {
  let probes: ShellProbes | null = null;
  return async (query, timeoutMs) => {
    if (!evidence.tamper.isClean) return notAsked;
    probes ??= new ShellProbes({ sandbox: world.sandbox, commands: evidence.typed });
    const answer = await probes.ask(query, timeoutMs);
    if (answer.type === 'text') return answer;
    return { type: 'refused', reason: answer.type === 'late' ? 'timeout' : 'no-server' };
  };
}

/**
 * A tmux server that is not the episode's, where that one is gone. Servers beside it are the agent's own business. A
 * server leads its own session; a client belongs to the action that started it.
 */
function hasOtherServer({ sandbox, server, serverKey }: World): boolean {
  const { processes } = sandbox;
  const pids = processes.pids();
  if (pids.includes(server.pid)) return false;
  return pids.some((pid) => processes.executable(pid) === serverKey && readStat(processes, pid)?.session === pid);
}
