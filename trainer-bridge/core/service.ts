import type {
  Action,
  EventNotice,
  Grade,
  Observation,
  ResetOptions,
  Rung,
  Step,
  Task,
  TaskHash,
  TaskId,
} from '../../env/index.ts';
import type { GridFlags } from '../../generator/index.ts';

/** The version of the calls and of gym.proto. Another one is refused with `E_PROTOCOL`. */
export const protocolVersion = 1;

export interface TaskRef {
  readonly id: string;
  /** Which set of secrets. */
  readonly sample: number;
}

export interface DescribeRequest {
  readonly protocol: number;
  /** Random, chosen by the client, kept for its life. */
  readonly client: string;
  /** The name of a narrower split of the served file, or empty. */
  readonly split: string;
}

export interface Description {
  readonly protocol: number;
  readonly version: string;
  readonly generator: string;
  readonly rung: Rung;
  readonly tmuxVersion: string;
  /** `name@hash` of what this client may create, empty when everything is served. */
  readonly split: string;
  readonly maxEpisodes: number;
  readonly leaseMs: number;
  readonly idleMs: number;
  readonly maxMessageBytes: number;
  /** Random, one value for the life of the server. */
  readonly server: string;
}

export interface ListRequest {
  readonly client: string;
  /** Empty: the cliff. */
  readonly suite: string;
  /** Which tasks, as for `createTasks`. */
  readonly seed: number;
  /** 0: as many as there are. */
  readonly size: number;
  readonly ranges: GridFlags;
  /** The first place asked for, from 0. */
  readonly from: number;
  /** At most 256. */
  readonly count: number;
}

export interface ListedTask {
  readonly task: Task;
  readonly hash: TaskHash;
}

export interface TaskPage {
  /** Fewer than asked for only at the end of the list. */
  readonly tasks: readonly ListedTask[];
  /** Of the whole list; null where it has no end. */
  readonly size: number | null;
}

export interface CreateRequest {
  readonly client: string;
  readonly task: TaskRef;
  /** Episodes with one start state; 0 means 1. */
  readonly size: number;
  /** Idempotency key: a repeat returns the same episodes. Empty: none. */
  readonly request: string;
  /** @default polled, virtual, shaped */
  readonly setting?: EpisodeSetting;
}

/** How an episode is played; not a part of its task. */
export type EpisodeSetting = Required<Pick<ResetOptions, 'delivery' | 'clock' | 'shaping'>>;

export interface EpisodeStart {
  readonly id: string;
  readonly task: TaskId;
  readonly taskHash: TaskHash;
  readonly prompt: string;
  readonly observation: Observation;
  readonly maxSteps: number;
}

export interface ActRequest {
  readonly client: string;
  readonly episode: string;
  /** Counts from 1. */
  readonly sequence: number;
  readonly action: Action;
}

export interface GradeRequest {
  readonly client: string;
  readonly episode: string;
  /** Why the policy had to cut the episode, or null. */
  readonly truncatedBy: 'context' | 'time' | null;
}

export interface ScriptJob {
  readonly task: TaskRef;
  readonly script: string;
}

export interface ScoreScriptsRequest {
  readonly client: string;
  readonly jobs: readonly ScriptJob[];
  /** Idempotency key: a repeat returns the same grades. Empty: none. */
  readonly request: string;
}

export interface EventsRequest {
  readonly client: string;
  /** Created with delivery `push`. */
  readonly episode: string;
}

/** Who follows the events of an episode. */
export interface EventSubscriber {
  /** Called in the middle of the action in which the event begins; what it throws ends only this subscription. */
  readonly tell: (notice: EventNotice) => void;
  /** Its abort ends the subscription, which is no failure. */
  readonly signal: AbortSignal;
}

export interface Health {
  readonly status: 'SERVING' | 'DRAINING';
  readonly liveEpisodes: number;
}

/**
 * The calls of the service, the same in process and over every wire. Refusals reject: in process with InputError,
 * BoundaryError or BusyError, from a remote client with RemoteError; the codes are the same.
 */
export interface BridgeService {
  describe(request: DescribeRequest): Promise<Description>;
  /** Tasks of a list by their places; only those that the client may create are in it. */
  list(request: ListRequest): Promise<TaskPage>;
  /** Returns how many worlds it took on. */
  prefetch(request: { readonly client: string; readonly tasks: readonly TaskRef[] }): Promise<number>;
  /** All episodes of the group, or none and an error. */
  create(request: CreateRequest): Promise<readonly EpisodeStart[]>;
  /** A repeat of the last sequence returns the stored step, also while the action still runs. */
  act(request: ActRequest): Promise<Step>;
  grade(request: GradeRequest): Promise<Grade>;
  release(request: { readonly client: string; readonly episode: string }): Promise<void>;
  /** One grade a job, in order; a job whose world failed is masked. */
  scoreScripts(request: ScoreScriptsRequest): Promise<readonly Grade[]>;
  /** Whether the request was known. */
  cancel(request: { readonly client: string; readonly request: string }): Promise<boolean>;
  health(): Promise<Health>;
  heartbeat(request: { readonly client: string }): Promise<void>;
}

/** What only a wire with streams carries besides: ZeroMQ has none, there events come with each step as `pushed`. */
export interface EventService {
  /**
   * Tells of the events of a pushed episode, those of the past first, each other one at once as it begins. Resolves when
   * the episode is graded or released, rejects with `E_LEASE` when its lease ends, which an open subscription does not
   * keep. Refuses with `E_DELIVERY` an episode that is not pushed.
   */
  events(request: EventsRequest, subscriber: EventSubscriber): Promise<void>;
}
