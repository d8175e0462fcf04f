import { type Clock, Solitude, tickMs, VirtualClock, WallClock } from '../clock/index.ts';
import { Evidence } from '../evidence/index.ts';
import type { Grade } from '../grade/index.ts';
import type { Action, Task, TaskHash } from '../task/index.ts';
import type { Note } from '../terminal/index.ts';
import type { World } from '../world/index.ts';
import { ActionRunner } from './action-runner.ts';
import { type Broken, brokenBy, maskedGrade } from './broken.ts';
import type { EpisodeSummary } from './env.ts';
import { gradeEpisode } from './grading.ts';
import { News } from './news.ts';
import { noEpisode } from './no-episode.ts';
import type { Delivery, EventNotice } from './notice.ts';
import { emptyObservation } from './observation.ts';
import { ObservationHash } from './observation-hash.ts';
import { Reactions } from './reactions.ts';
import { EpisodeStage } from './stage.ts';
import type { Step, TruncationReason } from './step.ts';
import type { TraceLine } from './trace.ts';

export interface EpisodeOptions {
  readonly world: World;
  readonly task: Task;
  readonly hash: TaskHash;
  readonly sample: number;
  readonly secrets: readonly string[];
  readonly tmuxVersion: string;
  /** Real milliseconds that making the world took. */
  readonly resetMs: number;
  readonly delivery: Delivery;
  readonly clock: 'virtual' | 'wall';
  readonly shaping: boolean;
  /** Told of each event as it happens, where the delivery is `push`. */
  readonly onEvent: (notice: EventNotice) => void;
}

/** One episode, from the posed world to the grade. Owns the world and ends it. Calls must not overlap. */
export class Episode {
  readonly #options: EpisodeOptions;
  readonly #clock: Clock;
  readonly #evidence: Evidence;
  readonly #solitude: Solitude;
  readonly #runner: ActionRunner;
  readonly #stage: EpisodeStage | null;
  readonly #reactions: Reactions | null;
  readonly #news: News;
  readonly #hash = new ObservationHash();
  readonly #trace: TraceLine[] = [];
  /** Real time at which the running action is ended; what passes between actions is the policy's own. */
  #wallDeadline = Number.POSITIVE_INFINITY;
  #steps = 0;
  #failedCommands = 0;
  #stepMs = 0;
  #gradeMs = 0;
  #saidDone = false;
  #truncatedBy: TruncationReason | null = null;
  #broken: Broken | null = null;
  #grade: Grade | null = null;
  #closed = false;

  constructor(options: EpisodeOptions) {
    const { world, task, secrets } = options;
    const { sandbox, play } = world;
    this.#options = options;
    const evidence = new Evidence({ task, secrets, places: play?.places ?? new Map() });
    this.#evidence = evidence;
    this.#news = new News(options.delivery, evidence, options.onEvent);
    const onHeard = (nowMs: number): void => this.#reactions?.look(nowMs);
    this.#stage =
      play === null
        ? null
        : new EpisodeStage({ play, evidence, onNote: (note, nowMs) => this.#note(note, nowMs), onHeard });
    this.#reactions =
      play === null ? null : new Reactions({ task, secrets, player: play.player, evidence, home: sandbox.home });
    const clock = { sandbox, serverPid: world.server.pid, serverSince: world.serverSince, stage: this.#stage };
    this.#solitude = new Solitude(clock);
    this.#clock = options.clock === 'wall' ? new WallClock(clock) : new VirtualClock(clock);
    this.#runner = new ActionRunner({ world, limits: task.limits, clock: this.#clock, solitude: this.#solitude });
    this.#trace.push({
      type: 'reset',
      tick: 0,
      task: task.id,
      task_hash: options.hash,
      sample: options.sample,
      rung: sandbox.rung,
      tmux_version: options.tmuxVersion,
      delivery: options.delivery,
      clock: options.clock,
    });
  }

  get ended(): boolean {
    return this.#closed || this.#grade !== null;
  }

  get trace(): readonly TraceLine[] {
    return this.#trace;
  }

  /** To be called once, before the first action. */
  begin(): Promise<void> {
    return this.#solitude.begin(this.#options.task.plan.every(({ type }) => type !== 'shell'));
  }

  async step(action: Action): Promise<Step> {
    const started = performance.now();
    this.#wallDeadline = started + this.#options.task.limits.wallMs - this.#stepMs;
    const wallTicks = this.#clock.wallTicks;
    this.#news.begin();
    this.#steps++;
    this.#trace.push({ type: 'action', tick: this.#clock.tick, action });
    const outcome = await this.#runner.run(action, this.#wallDeadline);
    if (outcome.type === 'broken') this.#broken = outcome;
    if (outcome.type === 'done') this.#saidDone = true;
    const observation =
      outcome.type === 'observed' ? this.#news.deliver(outcome.observation, this.#clock.nowMs) : emptyObservation;
    const actionCut = outcome.type === 'observed' && outcome.cut !== false;
    if (outcome.type === 'observed') {
      this.#hash.add(observation);
      this.#evidence.observe(observation.text, this.#clock.nowMs);
      this.#reactions?.look(this.#clock.nowMs);
      if (observation.exitCode !== null && observation.exitCode !== 0) this.#failedCommands++;
      this.#trace.push({
        type: 'observation',
        tick: this.#clock.tick,
        observation,
        wall_ticks: this.#clock.wallTicks - wallTicks,
        action_cut: actionCut,
      });
      this.#truncatedBy = this.#findTruncation(outcome.cut);
    }
    this.#stepMs += performance.now() - started;
    const terminated = outcome.type !== 'observed';
    const grade = terminated || this.#truncatedBy !== null ? await this.grade() : null;
    return {
      observation,
      reward: grade === null ? 0 : grade.reward,
      terminated,
      truncated: this.#truncatedBy ?? false,
      info: {
        tick: this.#clock.tick,
        steps: this.#steps,
        actionCut,
        wallTicks: this.#clock.wallTicks - wallTicks,
        reproducible: this.#clock.reproducible,
        pushed: this.#news.pushed,
        grade,
      },
    };
  }

  /**
   * Freezes the world by ending it, grades what it left, and gives it back. Idempotent. Throws an InputError
   * (`E_NO_EPISODE`) where it was closed ungraded.
   */
  async grade(truncatedBy?: 'context' | 'time'): Promise<Grade> {
    if (this.#grade !== null) return this.#grade;
    if (this.#closed) throw noEpisode('it was closed before it was graded');
    this.#truncatedBy ??= truncatedBy ?? null;
    const started = performance.now();
    const grade = await this.#gradeOrMask();
    await this.#options.world.close();
    this.#gradeMs = performance.now() - started;
    this.#grade = grade;
    this.#trace.push({ type: 'grade', tick: this.#clock.tick, grade });
    return grade;
  }

  /** Null until the episode was graded. */
  summary(): EpisodeSummary | null {
    if (this.#grade === null) return null;
    const { normalized, raw, replacedBytes } = this.#hash.digest();
    return {
      grade: this.#grade,
      steps: this.#steps,
      ticks: this.#clock.tick,
      wallTicks: this.#clock.wallTicks,
      reproducible: this.#clock.reproducible,
      truncatedBy: this.#truncatedBy,
      rung: this.#options.world.sandbox.rung,
      tmuxVersion: this.#options.tmuxVersion,
      observationHash: normalized,
      observationHashRaw: raw,
      replacedBytes,
      delivery: this.#options.delivery,
      clock: this.#options.clock,
      agentCommands: this.#stage === null ? null : this.#evidence.agentCommands,
      failedCommands: this.#failedCommands,
      resetMs: this.#options.resetMs,
      stepMs: this.#stepMs,
      settleMs: this.#clock.settleMs,
      gradeMs: this.#gradeMs,
    };
  }

  /** Ends it ungraded where it was not graded. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#options.world.close();
  }

  #findTruncation(cut: false | 'ticks' | 'time'): TruncationReason | null {
    const { limits } = this.#options.task;
    if (cut === 'time' || performance.now() >= this.#wallDeadline) return 'time';
    if (this.#clock.tick >= limits.ticks) return 'ticks';
    return this.#steps >= limits.steps ? 'steps' : null;
  }

  async #gradeOrMask(): Promise<Grade> {
    const { world, task, secrets, shaping } = this.#options;
    const { nowMs } = this.#clock;
    const loss = this.#runner.findLoss();
    try {
      const grade = await gradeEpisode({
        task,
        secrets,
        world,
        shaping,
        nowMs,
        evidence: this.#evidence,
        stage: this.#stage,
        ending: this.#saidDone ? 'done' : 'cut',
        tickOf: (ms) => Math.floor(ms / tickMs),
        end: async () => {
          const broken = await this.#runner.endWorld(loss);
          this.#broken ??= broken;
        },
        lookForReactions: () => this.#reactions?.look(nowMs),
      });
      return this.#broken === null ? grade : maskedGrade(this.#broken.boundary, this.#broken.failure);
    } catch (error) {
      const { boundary, failure } = brokenBy(error, 'grader');
      return maskedGrade(boundary, failure);
    }
  }

  /** What the player did or heard goes into the trace, and events that begin are news. */
  #note(note: Note, nowMs: number): void {
    const { tick } = this.#clock;
    switch (note.type) {
      case 'printed':
        this.#trace.push({ type: 'play', tick, pane: note.pane, bytes: note.bytes, virtual_ms: nowMs });
        return;
      case 'fired':
        this.#trace.push({ type: 'event', tick, event: note.event, virtual_ms: nowMs });
        this.#announce(note.event);
        return;
      case 'heard':
        this.#trace.push({ type: 'heard', tick, pane: note.pane, bytes: note.line.length, virtual_ms: nowMs });
        return;
      case 'started':
      case 'ended':
      case 'signalled':
      case 'void':
        return;
    }
  }

  #announce(id: string): void {
    const { task, world } = this.#options;
    const event = task.events.find((each) => each.id === id);
    const pane = event === undefined ? undefined : world.play?.places.get(event.worker)?.pane;
    if (event === undefined || pane === undefined) throw new Error(`Cannot tell of event "${id}": it is nowhere`);
    this.#news.add({ event: id, kind: event.kind, worker: event.worker, pane, tick: this.#clock.tick });
  }
}
