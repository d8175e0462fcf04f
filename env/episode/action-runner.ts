import { type ActionEnd, type Clock, type Solitude, tickMs } from '../clock/index.ts';
import { LauncherGone, pause, type SandboxEnd } from '../sandbox/index.ts';
import type { Action, Task } from '../task/index.ts';
import type { World } from '../world/index.ts';
import { type Broken, brokenBy } from './broken.ts';
import { emptyObservation, type Observation } from './observation.ts';

/** What an action came to. */
export type Outcome =
  | { readonly type: 'observed'; readonly observation: Observation; readonly cut: false | 'ticks' | 'time' }
  | { readonly type: 'done' }
  /** The agent killed its own world. */
  | { readonly type: 'world-ended' }
  | ({ readonly type: 'broken' } & Broken);

export interface ActionRunnerOptions {
  readonly world: World;
  readonly limits: Task['limits'];
  readonly clock: Clock;
  readonly solitude: Solitude;
}

/** Real milliseconds in which the end of a killed sandbox is seen. */
const goneLimitMs = 250;

/** Takes actions in a world, one at a time, and ends the world; tells what the agent did from what others did to it. */
export class ActionRunner {
  readonly #options: ActionRunnerOptions;

  constructor(options: ActionRunnerOptions) {
    this.#options = options;
  }

  /** Cuts what still runs at `wallDeadline` in real time. Whatever the agent can cause is data; the rest is broken. */
  async run(action: Action, wallDeadline: number): Promise<Outcome> {
    try {
      const loss = this.findLoss();
      return loss === null ? await this.#take(action, wallDeadline) : await this.#tellEnd(loss);
    } catch (error) {
      return await this.#judge(error);
    }
  }

  /** What somebody else did to the server; null where nobody did. */
  findLoss(): Broken | null {
    const loss = this.#options.solitude.findLoss();
    return loss === null ? null : { boundary: 'tmux', failure: `The tmux server was ${loss} from outside` };
  }

  /** Ends the world where it has not ended. Returns what somebody else did to it, `loss` included; null where nobody did. */
  async endWorld(loss: Broken | null): Promise<Broken | null> {
    const end = await this.#killAfter(loss);
    switch (end.type) {
      case 'outside':
        return killedFromOutside(end.how);
      case 'gym':
        return loss;
      case 'inside':
        return null;
    }
  }

  async #take(action: Action, wallDeadline: number): Promise<Outcome> {
    const { world, limits, clock, solitude } = this.#options;
    const startMs = clock.nowMs;
    const endMs = limits.ticks * tickMs;
    if (action.type === 'done') return { type: 'done' };
    if (action.type === 'wait') {
      await clock.wait(action.ticks, { untilMs: endMs, wallDeadline });
      return { type: 'observed', observation: emptyObservation, cut: false };
    }
    const untilMs = Math.min(startMs + limits.ticksPerAction * tickMs, endMs);
    const launched = world.sandbox.launcher.run({ argv: argvOf(action), outputLimit: limits.observationBytes });
    const end = await clock.runAction(launched, { untilMs, wallDeadline });
    await clock.finishAction(startMs);
    solitude.note();
    return { type: 'observed', observation: observe(end, limits.ticksPerAction), cut: end.type === 'cut' && end.by };
  }

  async #judge(error: unknown): Promise<Outcome> {
    if (!(error instanceof LauncherGone)) return { type: 'broken', ...brokenBy(error, 'sandbox') };
    const end = await this.#options.world.sandbox.kill();
    return end.type === 'outside' ? { type: 'broken', ...killedFromOutside(end.how) } : { type: 'world-ended' };
  }

  /** The server may have gone with its sandbox, which is judged first. */
  async #tellEnd(loss: Broken): Promise<Outcome> {
    const broken = await this.endWorld(loss);
    return broken === null ? { type: 'world-ended' } : { type: 'broken', ...broken };
  }

  /** A sandbox that goes with its server needs a moment to be seen gone; killed before, it would count as ours. */
  async #killAfter(loss: Broken | null): Promise<SandboxEnd> {
    const { sandbox } = this.#options.world;
    if (loss !== null) await Promise.race([sandbox.ended, pause(goneLimitMs)]);
    return await sandbox.kill();
  }
}

function killedFromOutside(how: string): Broken {
  return { boundary: 'sandbox', failure: `The sandbox was ended from outside: ${how}` };
}

function argvOf(action: Extract<Action, { type: 'command' | 'script' | 'keys' }>): readonly string[] {
  switch (action.type) {
    case 'command':
      return ['bash', '-c', action.command];
    case 'script':
      return ['bash', '-c', action.script];
    case 'keys':
      return ['tmux', 'send-keys', '-t', action.target, '--', ...action.keys];
  }
}

function observe(end: ActionEnd, ticksPerAction: number): Observation {
  const { output, cutBytes } = end.type === 'exited' ? end.exit : end;
  const marks = cutBytes === 0 ? [] : [`${cutBytes} more bytes of output were cut`];
  if (end.type === 'cut') {
    const reason =
      end.by === 'ticks' ? `it was still running after ${ticksPerAction} ticks` : 'the time of the episode is over';
    marks.push(`the action was ended: ${reason}`);
  }
  const text = output.toString('utf8') + marks.map((mark) => `\n[${mark}]\n`).join('');
  return { text, exitCode: end.type === 'exited' ? end.exit.code : null, cutBytes };
}
