import { createHash, randomUUID } from 'node:crypto';
import { actionSchema, type Grade, InputError, type Step, type Task } from '../../env/index.ts';
import { ClientRegistry, type ServedClient } from './client-registry.ts';
import { type Clock, monotonicClock } from './clock.ts';
import { type CoreLimits, type CoreOptions, defaultLimits } from './core-options.ts';
import { EpisodeTable, leaseEnded } from './episode-table.ts';
import { GroupOpener, type GroupRequest } from './group-opener.ts';
import { LeaseWatch } from './lease-watch.ts';
import { type CoreObserver, silentObserver } from './observer.ts';
import { BusyError } from './refusal.ts';
import { badAction, cancelled, draining, noSuchTask, nothingToNarrow, otherProtocol } from './refusals.ts';
import { type PreparedJob, ScriptRunner } from './script-runner.ts';
import type { ServedEpisode } from './served-episode.ts';
import * as service from './service.ts';
import { checkSplits, formatGate, type SplitGate } from './split-gate.ts';
import { TaskLister } from './task-lister.ts';

const defaultSetting: service.EpisodeSetting = { delivery: 'poll', clock: 'virtual', shaping: true };

/**
 * The service without a wire: leases, sequence numbers, splits, bounds. It owns the episodes that it creates, not the
 * gym. Every refusal has a stable code; see trainer-bridge/README.md.
 */
export class BridgeCore implements service.BridgeService, service.EventService, AsyncDisposable {
  readonly limits: CoreLimits;
  readonly #options: CoreOptions;
  readonly #clock: Clock;
  readonly #observer: CoreObserver;
  readonly #server = randomUUID();
  readonly #clients = new ClientRegistry();
  readonly #table: EpisodeTable;
  readonly #opener: GroupOpener;
  readonly #scripts: ScriptRunner;
  readonly #watch: LeaseWatch;
  readonly #lister = new TaskLister();
  readonly #waitingForIdle = new Set<() => void>();
  #state: 'serving' | 'draining' | 'closed' = 'serving';

  constructor(options: CoreOptions) {
    const { gym, clock = monotonicClock, observer = silentObserver, record = async () => undefined } = options;
    this.#options = options;
    this.limits = { ...defaultLimits, ...options.limits };
    this.#clock = clock;
    this.#observer = observer;
    const onFree = () => this.#noticeIdle();
    this.#table = new EpisodeTable(this.limits.maxEpisodes, onFree);
    const closed = (episode: ServedEpisode) => this.#table.retire(episode);
    this.#opener = new GroupOpener(gym, { clock, observer, record, closed }, this.limits.resetConcurrency);
    const { scriptConcurrency: concurrency, maxJobs } = this.limits;
    this.#scripts = new ScriptRunner({ gym, observer, record, concurrency, ahead: 2 * concurrency, maxJobs, onFree });
    this.#watch = new LeaseWatch(clock, {
      nextDeadline: () => this.#nextDeadline(),
      expire: (now) => this.#expire(now),
    });
  }

  async describe(request: service.DescribeRequest): Promise<service.Description> {
    if (request.protocol !== service.protocolVersion) throw otherProtocol(request.protocol);
    const narrow = request.split === '' ? null : this.#narrow(request.split);
    this.#clients.describe(request.client, narrow, this.#clock.now());
    this.#watch.arm();
    const { gym, versions, ceiling } = this.#options;
    const gate = narrow ?? ceiling?.split ?? null;
    const { maxEpisodes, leaseMs, idleMs, maxMessageBytes } = this.limits;
    return {
      protocol: service.protocolVersion,
      ...versions,
      rung: gym.rung,
      tmuxVersion: gym.tmuxVersion,
      split: gate === null ? '' : formatGate(gate),
      maxEpisodes,
      leaseMs,
      idleMs,
      maxMessageBytes,
      server: this.#server,
    };
  }

  async list(request: service.ListRequest): Promise<service.TaskPage> {
    const { narrow } = this.#touch(request.client);
    return this.#lister.list(request, [this.#options.ceiling?.split ?? null, narrow]);
  }

  async prefetch(request: { readonly client: string; readonly tasks: readonly service.TaskRef[] }): Promise<number> {
    const client = this.#touch(request.client);
    const wanted = request.tasks.map(({ id, sample }, index) => ({
      task: this.#allow(client, id, `tasks[${index}]`),
      sample,
    }));
    return this.#state === 'serving' ? this.#options.gym.prefetch(wanted) : 0;
  }

  async create(request: service.CreateRequest): Promise<readonly service.EpisodeStart[]> {
    const client = this.#touch(request.client);
    const task = this.#allow(client, request.task.id, 'task');
    const { sample } = request.task;
    const size = Math.max(1, request.size);
    const { setting = defaultSetting } = request;
    const fingerprint = `create/${task.id}/${sample}/${size}/${JSON.stringify(setting)}`;
    const start = (signal: AbortSignal) => this.#start(client, { task, sample, size, setting, signal });
    return this.#noticeBusy(() => client.requests.run(request.request, fingerprint, start));
  }

  async act(request: service.ActRequest): Promise<Step> {
    const episode = this.#find(request.client, request.episode);
    const action = actionSchema.safeParse(request.action);
    if (!action.success) throw badAction(action.error.issues[0]);
    return episode.act(request.sequence, action.data);
  }

  async grade(request: service.GradeRequest): Promise<Grade> {
    return this.#find(request.client, request.episode).grade(request.truncatedBy);
  }

  async release(request: { readonly client: string; readonly episode: string }): Promise<void> {
    const client = this.#touch(request.client);
    if (this.#table.isGone(client.id, request.episode)) return;
    const episode = this.#table.find(client.id, request.episode);
    this.#table.remove(request.episode, 'released');
    await episode.release();
  }

  async scoreScripts(request: service.ScoreScriptsRequest): Promise<readonly Grade[]> {
    const client = this.#touch(request.client);
    const jobs = request.jobs.map((job, index) => this.#prepare(client, job, index));
    const start = async (signal: AbortSignal) => {
      this.#refuseNew();
      return this.#scripts.run(jobs, signal);
    };
    return this.#noticeBusy(() => client.requests.run(request.request, `score/${digest(request.jobs)}`, start));
  }

  async cancel(request: { readonly client: string; readonly request: string }): Promise<boolean> {
    return this.#touch(request.client).requests.cancel(request.request);
  }

  async events(request: service.EventsRequest, subscriber: service.EventSubscriber): Promise<void> {
    return this.#find(request.client, request.episode).follow(subscriber);
  }

  async health(): Promise<service.Health> {
    return { status: this.#state === 'serving' ? 'SERVING' : 'DRAINING', liveEpisodes: this.live };
  }

  async heartbeat(request: { readonly client: string }): Promise<void> {
    this.#touch(request.client);
  }

  /** Episodes in use and scripts that wait or run. */
  get live(): number {
    return this.#table.live + this.#scripts.open;
  }

  /** Takes nothing new, lets what runs finish for at most `deadlineMs`, then closes. */
  async drain(deadlineMs: number): Promise<void> {
    if (this.#state === 'serving') this.#state = 'draining';
    await new Promise<void>((resolve) => {
      const callOff = this.#clock.schedule(deadlineMs, resolve);
      this.#waitingForIdle.add(() => {
        callOff();
        resolve();
      });
      this.#noticeIdle();
    });
    await this.close();
  }

  /** Ends every episode and request. Idempotent. */
  async close(): Promise<void> {
    this.#state = 'closed';
    this.#watch.stop();
    const closing = [...this.#clients.all].flatMap((client) => this.#dismiss(client));
    await Promise.all(closing);
    if (this.live > 0) await new Promise<void>((resolve) => this.#waitingForIdle.add(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #start(
    client: ServedClient,
    group: GroupRequest & { readonly signal: AbortSignal },
  ): Promise<readonly service.EpisodeStart[]> {
    const { size, signal } = group;
    this.#refuseNew();
    this.#table.take(size);
    const begin = this.#clock.now();
    const opened = await this.#opener.open(group).catch((error: unknown) => {
      this.#table.give(size);
      throw error;
    });
    if (signal.aborted || !this.#clients.has(client)) {
      await Promise.all(opened.map(({ episode }) => episode.close()));
      throw cancelled();
    }
    for (const { episode } of opened) this.#table.add(client.id, episode);
    this.#observer.created(size, this.#clock.now() - begin);
    return opened.map(({ start }) => start);
  }

  #touch(id: string): ServedClient {
    return this.#clients.touch(id, this.#clock.now());
  }

  #find(client: string, id: string): ServedEpisode {
    const episode = this.#table.find(this.#touch(client).id, id);
    episode.lastUsed = this.#clock.now();
    return episode;
  }

  #refuseNew(): void {
    if (this.#state !== 'serving') throw draining();
  }

  #prepare(client: ServedClient, job: service.ScriptJob, index: number): PreparedJob {
    const task = this.#allow(client, job.task.id, `jobs[${index}].task`);
    const action = actionSchema.safeParse({ type: 'script', script: job.script });
    if (!action.success) throw badAction(action.error.issues[0], `jobs[${index}].`);
    return { task, sample: job.task.sample, script: job.script };
  }

  #allow(client: ServedClient, id: string, where: string): Task {
    const task = this.#findTask(id, where);
    checkSplits(task, [this.#options.ceiling?.split ?? null, client.narrow]);
    return task;
  }

  #findTask(id: string, where: string): Task {
    try {
      return this.#options.findTask(id);
    } catch (error) {
      throw error instanceof InputError ? noSuchTask(id, where, error) : error;
    }
  }

  #narrow(name: string): SplitGate {
    const { ceiling } = this.#options;
    if (ceiling === null || ceiling === undefined) throw nothingToNarrow(name);
    return ceiling.narrow(name);
  }

  #noticeBusy<Reply>(start: () => Promise<Reply>): Promise<Reply> {
    return start().catch((error: unknown) => {
      if (error instanceof BusyError) this.#observer.busy();
      throw error;
    });
  }

  #noticeIdle(): void {
    if (this.live > 0) return;
    for (const wake of this.#waitingForIdle) wake();
    this.#waitingForIdle.clear();
  }

  #nextDeadline(): number | null {
    const { leaseMs, idleMs } = this.limits;
    let next: number | null = null;
    for (const { lastSeen } of this.#clients.all) next = Math.min(next ?? Number.POSITIVE_INFINITY, lastSeen + leaseMs);
    if (next === null) return null;
    for (const { episode } of this.#table.episodes) {
      if (!episode.working) next = Math.min(next, episode.lastUsed + idleMs);
    }
    return next;
  }

  #expire(now: number): void {
    const { leaseMs, idleMs } = this.limits;
    for (const client of [...this.#clients.all]) {
      if (client.lastSeen + leaseMs > now) continue;
      this.#observer.leaseEnded('client', this.#dismiss(client).length);
    }
    for (const { episode } of [...this.#table.episodes]) {
      if (episode.working || episode.lastUsed + idleMs > now) continue;
      this.#observer.leaseEnded('idle', 1);
      void this.#end(episode);
    }
  }

  /** Forgets a client; its requests are aborted, its episodes closed. */
  #dismiss(client: ServedClient): readonly Promise<void>[] {
    this.#clients.remove(client);
    client.requests.abortAll();
    return [...this.#table.episodes].filter((row) => row.client === client.id).map(({ episode }) => this.#end(episode));
  }

  #end(episode: ServedEpisode): Promise<void> {
    this.#table.remove(episode.facts.id, 'lease');
    return episode.close(leaseEnded(`episode ${episode.facts.id}`));
  }
}

/** Tells whether two requests under one key carry the same jobs. */
function digest(jobs: readonly service.ScriptJob[]): string {
  return createHash('sha256').update(JSON.stringify(jobs)).digest('hex');
}
