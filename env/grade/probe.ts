import type { EventResult } from '../evidence/index.ts';
import { type Check, fillTemplate, type Probe } from '../task/index.ts';
import { readReportFile } from './report-file.ts';

/** What a probe found. `refused`: nothing could be read, by the agent's doing. */
export type ProbeRead =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refused'; readonly reason: string };

/** Where probes read, all of it outside the agent's reach or frozen. */
export interface ProbeSources {
  /** Asks the frozen tmux server. */
  readonly askTmux: (argv: readonly string[]) => Promise<ProbeRead>;
  /**
   * Asks all that is to be asked of the frozen world, again where something else moved it meanwhile; null where the
   * world does not hold still, by what the agent left running.
   */
  readonly askStill: <Answers>(ask: () => Promise<Answers>) => Promise<Answers | null>;
  /** Told of each check that was answered by the frozen world. */
  readonly onAsked: (check: Check, read: ProbeRead) => void;
  /** Runs a shell probe of the published format in the frozen world. */
  readonly runShell: (query: string, timeoutMs: number) => Promise<ProbeRead>;
  /** Ends the world; nothing can be asked afterwards, and the agent's files stand still. */
  readonly end: () => Promise<void>;
  /** Path of the agent's HOME, once the world has ended. */
  readonly home: () => string;
  readonly heard: (worker: string, line: string) => number;
  readonly started: (worker: string) => number;
  readonly event: (id: string) => EventResult | null;
  readonly commands: (name: string) => number;
}

/** Reads every probe: what needs the world first, then, when it has ended, the rest. As long as `checks`. */
export async function readProbes(
  checks: readonly Check[],
  secrets: readonly string[],
  sources: ProbeSources,
): Promise<readonly ProbeRead[]> {
  const fill = (template: string): string => fillTemplate(template, secrets);
  const asked = (await sources.askStill(() => askAll(checks, fill, sources))) ?? checks.map(refuseMoving);
  for (const [index, check] of checks.entries()) {
    const read = asked[index] ?? null;
    if (read !== null) sources.onAsked(check, read);
  }
  await sources.end();
  return checks.map(({ probe }, index) => asked[index] ?? readRest(probe, fill, sources));
}

async function askAll(
  checks: readonly Check[],
  fill: (template: string) => string,
  sources: ProbeSources,
): Promise<readonly (ProbeRead | null)[]> {
  const reads: (ProbeRead | null)[] = [];
  for (const { probe } of checks) reads.push(await askWorld(probe, fill, sources));
  return reads;
}

function refuseMoving({ probe }: Check): ProbeRead | null {
  return probe.type === 'tmux' || probe.type === 'shell' ? { type: 'refused', reason: 'not-frozen' } : null;
}

async function askWorld(
  probe: Probe,
  fill: (template: string) => string,
  sources: ProbeSources,
): Promise<ProbeRead | null> {
  switch (probe.type) {
    case 'tmux':
      return await sources.askTmux(probe.argv.map(fill));
    case 'shell':
      return await sources.runShell(fill(probe.query), probe.timeoutMs);
    case 'file':
    case 'heard':
    case 'started':
    case 'event':
    case 'commands':
      return null;
  }
}

function readRest(probe: Probe, fill: (template: string) => string, sources: ProbeSources): ProbeRead {
  switch (probe.type) {
    case 'file':
      return readReportFile(sources.home(), probe.path);
    case 'heard':
      return { type: 'text', text: String(sources.heard(probe.worker, fill(probe.line))) };
    case 'started':
      return { type: 'text', text: String(sources.started(probe.worker)) };
    case 'commands':
      return { type: 'text', text: String(sources.commands(probe.command)) };
    case 'event':
      return readEvent(sources.event(probe.event), probe.field);
    case 'tmux':
    case 'shell':
      throw new Error(`Cannot read a ${probe.type} probe after the end of the world`);
  }
}

function readEvent(result: EventResult | null, field: Extract<Probe, { type: 'event' }>['field']): ProbeRead {
  if (result === null) return { type: 'refused', reason: 'no-event' };
  switch (field) {
    case 'outcome':
      return { type: 'text', text: result.outcome };
    case 'perceived':
      return { type: 'text', text: result.perceived_tick === null ? 'no' : 'yes' };
    case 'perceived_by':
      return { type: 'text', text: result.perceived_by ?? '' };
    case 'armed':
      return { type: 'text', text: result.armed === true ? 'yes' : 'no' };
  }
}
