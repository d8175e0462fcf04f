import type { Ending, Evidence } from '../evidence/index.ts';
import { type Grade, gradeChecks, type ProbeRead, type ProbeSources, readProbes, scoreOp } from '../grade/index.ts';
import { readStat } from '../sandbox/index.ts';
import { fillTemplate, type Task } from '../task/index.ts';
import { FrozenWorld, ShellProbes, type World } from '../world/index.ts';
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

/** A pane that prints now and then is out-waited; a program that moves whenever it is asked is not. */
const mostTries = 3;

const notAsked: ProbeRead = { type: 'refused', reason: 'tampered' };

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
  let questions = 0;
  return {
    askTmux: (argv) => {
      questions++;
      return askTmux(frozen, argv, evidence);
    },
    askStill: async (ask) => {
      // Queries of the published format run commands of their own.
      if (frozen === null || stage === null || options.task.instrument === 'shell') return await ask();
      for (let tries = 0; tries < mostTries; tries++) {
        questions = 0;
        const answers = await ask();
        if (stage.watch() <= questions) return answers;
      }
      return null;
    },
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

async function askTmux(frozen: FrozenWorld | null, argv: readonly string[], evidence: Evidence): Promise<ProbeRead> {
  if (frozen === null || !evidence.tamper.isClean) return notAsked;
  const answer = await frozen.ask(argv);
  switch (answer.type) {
    case 'text':
      return answer;
    case 'failed':
      return { type: 'refused', reason: `exit-${answer.code}` };
    case 'gone':
      return { type: 'refused', reason: 'no-server' };
    case 'late':
      evidence.tamper.flag('server-stopped');
      return { type: 'refused', reason: 'server-stopped' };
    case 'moving':
      return { type: 'refused', reason: 'not-frozen' };
  }
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
