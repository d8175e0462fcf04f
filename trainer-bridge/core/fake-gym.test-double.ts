import type {
  Action,
  Env,
  EpisodeSummary,
  EventNotice,
  Grade,
  Gym,
  Observation,
  Reset,
  ResetOptions,
  RunKey,
  Step,
  Task,
  TaskHash,
  TraceLine,
} from '../../env/index.ts';
import { InputError, makeRunKey, taskSchema } from '../../env/index.ts';

/** What a test can make go wrong or wait. */
export interface FakeBehaviour {
  beforeReset?: (options: ResetOptions) => Promise<void>;
  beforeStep?: (action: Action) => Promise<void>;
  beforeGrade?: () => Promise<void>;
}

/**
 * Test double of `Gym` for wires, bounds and speed: no tmux, no sandbox. The command `echo X` prints X, `event X` begins
 * the event X before `beforeStep`; the grade is 1 where the command or script `right` was taken.
 */
export class FakeGym implements Gym {
  readonly rung = 'bare';
  readonly tmuxVersion = 'none';
  readonly runKey: RunKey = makeRunKey();
  readonly behaviour: FakeBehaviour;
  readonly prefetched: ResetOptions[] = [];
  /** Every action of every episode, in order. */
  readonly actions: Action[] = [];
  prefetchLimit = 64;
  live = 0;
  /** The most that ever lived at once. */
  peak = 0;

  constructor(behaviour: FakeBehaviour = {}) {
    this.behaviour = behaviour;
  }

  createEnv(): Env {
    return new FakeEnv(this);
  }

  prefetch(requests: readonly ResetOptions[]): number {
    const taken = requests.slice(0, this.prefetchLimit);
    this.prefetched.push(...taken);
    return taken.length;
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

class FakeEnv implements Env {
  readonly #gym: FakeGym;
  #state: 'new' | 'live' | 'ended' | 'closed' = 'new';
  #steps = 0;
  #right = false;
  #grade: Grade | null = null;
  #push: (notice: EventNotice) => void = () => undefined;
  #noticeClose: () => void = () => undefined;
  /** An action that runs ends with its world. */
  readonly #whenClosed = new Promise<void>((resolve) => {
    this.#noticeClose = resolve;
  });

  constructor(gym: FakeGym) {
    this.#gym = gym;
  }

  async reset(options: ResetOptions): Promise<Reset> {
    await this.#gym.behaviour.beforeReset?.(options);
    this.#state = 'live';
    if (options.delivery === 'push') this.#push = options.onEvent ?? this.#push;
    this.#gym.live += 1;
    this.#gym.peak = Math.max(this.#gym.peak, this.#gym.live);
    const taskHash = 'f'.repeat(64) as TaskHash;
    const info = { prompt: options.task.prompt, taskHash, rung: this.#gym.rung, tick: 0 } as const;
    return { observation: observe(`sample ${options.sample ?? 0}`), info };
  }

  async step(action: Action): Promise<Step> {
    if (this.#state !== 'live') throw new InputError({ code: 'E_NO_EPISODE', what: 'Cannot step: no episode' });
    const pushed = this.#happen(action);
    await Promise.race([this.#gym.behaviour.beforeStep?.(action), this.#whenClosed]);
    this.#gym.actions.push(action);
    this.#steps += 1;
    const text = action.type === 'command' ? action.command : action.type === 'script' ? action.script : '';
    this.#right ||= text === 'right';
    const terminated = action.type === 'done';
    const grade = terminated ? await this.grade() : null;
    const info = {
      tick: this.#steps,
      steps: this.#steps,
      actionCut: false,
      wallTicks: 0,
      reproducible: true,
      pushed,
      grade,
    };
    const observation = observe(text.startsWith('echo ') ? text.slice(5) : '');
    return { observation, reward: grade === null ? 0 : grade.reward, terminated, truncated: false, info };
  }

  #happen(action: Action): readonly EventNotice[] {
    if (action.type !== 'command' || !action.command.startsWith('event ')) return [];
    const event = action.command.slice('event '.length);
    const notice = { event, kind: 'bell', worker: 'w', pane: '%1', tick: this.#steps } as const;
    this.#push(notice);
    return [notice];
  }

  async grade(): Promise<Grade> {
    await this.#gym.behaviour.beforeGrade?.();
    this.#state = this.#state === 'closed' ? 'closed' : 'ended';
    this.#grade ??= {
      outcome: 'scored',
      reward: this.#right ? 1 : 0,
      passed: this.#right,
      flags: [],
      boundary: null,
      failure: null,
      checks: [
        {
          id: 'report',
          role: 'state',
          event: null,
          value: null,
          note: 'no file',
          ok: this.#right,
          score: 0,
          weight: 1,
        },
      ],
      events: [],
    };
    return this.#grade;
  }

  summary(): EpisodeSummary {
    if (this.#grade === null) throw new InputError({ code: 'E_NO_EPISODE', what: 'Cannot sum up: no grade' });
    return {
      grade: this.#grade,
      steps: this.#steps,
      ticks: this.#steps,
      wallTicks: 0,
      reproducible: true,
      truncatedBy: null,
      rung: this.#gym.rung,
      tmuxVersion: this.#gym.tmuxVersion,
      observationHash: '',
      observationHashRaw: '',
      replacedBytes: 0,
      delivery: 'poll',
      clock: 'virtual',
      agentCommands: null,
      failedCommands: 0,
      resetMs: 0,
      stepMs: 0,
      settleMs: 0,
      gradeMs: 0,
    };
  }

  trace(): readonly TraceLine[] {
    return this.#grade === null ? [] : [{ type: 'grade', tick: this.#steps, grade: this.#grade }];
  }

  async close(): Promise<void> {
    if (this.#state === 'live' || this.#state === 'ended') this.#gym.live -= 1;
    this.#state = 'closed';
    this.#noticeClose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function observe(text: string): Observation {
  return { text, exitCode: 0, cutBytes: 0 };
}

/** A task for `FakeGym`; ids are `fake-dD-sS`, anything else is refused. */
export function findFakeTask(id: string): Task {
  const match = /^fake-d([0-4])-s(\d+)$/.exec(id);
  if (match === null)
    throw new InputError({ code: 'E_TASK_ID', what: 'No such task', expected: 'fake-dD-sS', found: id });
  return taskSchema.parse({
    id,
    suite: 'fake',
    pillar: 'cliff',
    depth: Number(match[1]),
    ops: 1,
    seed: Number(match[2]),
    profile: 'fair',
    paraphrase: 0,
    prompt: `do ${id}`,
    slots: 0,
    plan: [],
    events: [],
    checks: [
      {
        id: 'report',
        role: 'state',
        event: null,
        required: true,
        weight: 1,
        probe: { type: 'file', path: 'report' },
        op: 'nonempty',
        expect: [],
      },
    ],
    debugLog: false,
    solutions: {
      oracle: [{ name: 'right', actions: [{ type: 'script', script: 'right' }] }],
      naive: { name: 'naive', actions: [] },
      wrong: { name: 'wrong', actions: [] },
    },
    limits: { steps: 10, ticks: 10, ticksPerAction: 5, wallMs: 60_000, observationBytes: 4_096 },
    generator: 'fake',
  });
}
