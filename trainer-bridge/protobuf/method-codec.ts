import { deliveries, InputError, type TaskHash, type TaskId } from '../../env/index.ts';
import type * as service from '../core/index.ts';
import { actionFromWire, actionToWire, type WireAction } from './wire-action.ts';
import { gradeFromWire, gradeToWire, type WireGrade } from './wire-grade.ts';
import { listFromWire, pageFromWire, pageToWire, type WireListRequest, type WireTaskPage } from './wire-list.ts';
import { observationFromWire, stepFromWire, stepToWire, type WireObservation, type WireStep } from './wire-step.ts';
import { uint64FromWire, type WireUint64 } from './wire-value.ts';

/** The two directions of one call, between the messages of gym.proto (as protobufjs names them) and the core's types. */
export interface MethodCodec<Request, Reply, WireRequest, WireReply> {
  call(core: service.BridgeService, request: Request): Promise<Reply>;
  requestFromWire(wire: WireRequest): Request;
  requestToWire(request: Request): object;
  replyToWire(reply: Reply): object;
  replyFromWire(wire: WireReply): Reply;
}

type WireTaskRef = service.TaskRef | null;
type ClientOnly = { readonly client: string };
type EpisodeRef = { readonly client: string; readonly episode: string };

const describe: MethodCodec<
  service.DescribeRequest,
  service.Description,
  service.DescribeRequest,
  service.Description
> = {
  call: (core, request) => core.describe(request),
  requestFromWire: ({ protocol, client, split }) => ({ protocol, client, split }),
  requestToWire: (request) => request,
  replyToWire: (reply) => reply,
  replyFromWire: (wire) => ({
    protocol: wire.protocol,
    version: wire.version,
    generator: wire.generator,
    rung: wire.rung,
    tmuxVersion: wire.tmuxVersion,
    split: wire.split,
    maxEpisodes: wire.maxEpisodes,
    leaseMs: wire.leaseMs,
    idleMs: wire.idleMs,
    maxMessageBytes: wire.maxMessageBytes,
    server: wire.server,
  }),
};

const list: MethodCodec<service.ListRequest, service.TaskPage, WireListRequest, WireTaskPage> = {
  call: (core, request) => core.list(request),
  requestFromWire: listFromWire,
  requestToWire: (request) => request,
  replyToWire: pageToWire,
  replyFromWire: pageFromWire,
};

type PrefetchRequest = { readonly client: string; readonly tasks: readonly service.TaskRef[] };
const prefetch: MethodCodec<PrefetchRequest, number, PrefetchRequest, { readonly accepted: number }> = {
  call: (core, request) => core.prefetch(request),
  requestFromWire: ({ client, tasks }) => ({ client, tasks: tasks.map(taskFromWire) }),
  requestToWire: (request) => request,
  replyToWire: (accepted) => ({ accepted }),
  replyFromWire: ({ accepted }) => accepted,
};

interface WireEpisode {
  readonly id: string;
  readonly task: string;
  readonly taskHash: string;
  readonly prompt: string;
  readonly observation: WireObservation | null;
  readonly maxSteps: number;
}
type WireCreateRequest = Omit<service.CreateRequest, 'task' | 'setting'> & {
  readonly task: WireTaskRef;
  readonly delivery: string;
  readonly clock: string;
  readonly noShaping: boolean;
};
const create: MethodCodec<
  service.CreateRequest,
  readonly service.EpisodeStart[],
  WireCreateRequest,
  { readonly episodes: readonly WireEpisode[] }
> = {
  call: (core, request) => core.create(request),
  requestFromWire: ({ client, task, size, request, delivery, clock, noShaping }) => ({
    client,
    task: taskFromWire(task),
    size,
    request,
    setting: {
      delivery: oneOf('CreateRequest.delivery', delivery, deliveries),
      clock: oneOf('CreateRequest.clock', clock, ['virtual', 'wall']),
      shaping: !noShaping,
    },
  }),
  requestToWire: ({ setting, ...request }) => ({
    ...request,
    delivery: setting?.delivery ?? '',
    clock: setting?.clock ?? '',
    noShaping: setting?.shaping === false,
  }),
  replyToWire: (episodes) => ({ episodes }),
  replyFromWire: ({ episodes }) => episodes.map(startFromWire),
};

type WireActRequest = EpisodeRef & { readonly sequence: WireUint64; readonly action: WireAction | null };
const act: MethodCodec<
  service.ActRequest,
  Awaited<ReturnType<service.BridgeService['act']>>,
  WireActRequest,
  WireStep
> = {
  call: (core, request) => core.act(request),
  requestFromWire: ({ client, episode, sequence, action }) => ({
    client,
    episode,
    sequence: uint64FromWire(sequence, 'ActRequest.sequence'),
    action: actionFromWire(action),
  }),
  requestToWire: (request) => ({ ...request, action: actionToWire(request.action) }),
  replyToWire: stepToWire,
  replyFromWire: stepFromWire,
};

type Grade = Awaited<ReturnType<service.BridgeService['grade']>>;
type WireGradeRequest = EpisodeRef & { readonly truncated: string };
const grade: MethodCodec<service.GradeRequest, Grade, WireGradeRequest, { readonly grade: WireGrade }> = {
  call: (core, request) => core.grade(request),
  requestFromWire: ({ client, episode, truncated }) => ({
    client,
    episode,
    truncatedBy: truncationFromWire(truncated),
  }),
  requestToWire: ({ client, episode, truncatedBy }) => ({ client, episode, truncated: truncatedBy ?? '' }),
  replyToWire: (reply) => ({ grade: gradeToWire(reply) }),
  replyFromWire: (wire) => gradeFromWire(wire.grade),
};

const release: MethodCodec<EpisodeRef, void, EpisodeRef, object> = {
  call: (core, request) => core.release(request),
  requestFromWire: ({ client, episode }) => ({ client, episode }),
  requestToWire: (request) => request,
  replyToWire: () => ({}),
  replyFromWire: () => undefined,
};

interface WireScoreRequest {
  readonly client: string;
  readonly jobs: readonly { readonly task: WireTaskRef; readonly script: string }[];
  readonly request: string;
}
const scoreScripts: MethodCodec<
  service.ScoreScriptsRequest,
  readonly Grade[],
  WireScoreRequest,
  { readonly grades: readonly WireGrade[] }
> = {
  call: (core, request) => core.scoreScripts(request),
  requestFromWire: ({ client, jobs, request }) => ({
    client,
    request,
    jobs: jobs.map(({ task, script }) => ({ task: taskFromWire(task), script })),
  }),
  requestToWire: (request) => request,
  replyToWire: (grades) => ({ grades: grades.map(gradeToWire) }),
  replyFromWire: ({ grades }) => grades.map(gradeFromWire),
};

type CancelRequest = { readonly client: string; readonly request: string };
const cancel: MethodCodec<CancelRequest, boolean, CancelRequest, { readonly found: boolean }> = {
  call: (core, request) => core.cancel(request),
  requestFromWire: ({ client, request }) => ({ client, request }),
  requestToWire: (request) => request,
  replyToWire: (found) => ({ found }),
  replyFromWire: ({ found }) => found,
};

const health: MethodCodec<object, service.Health, object, service.Health> = {
  call: (core) => core.health(),
  requestFromWire: () => ({}),
  requestToWire: () => ({}),
  replyToWire: (reply) => reply,
  replyFromWire: ({ status, liveEpisodes }) => ({ status, liveEpisodes }),
};

const heartbeat: MethodCodec<ClientOnly, void, ClientOnly, object> = {
  call: (core, request) => core.heartbeat(request),
  requestFromWire: ({ client }) => ({ client }),
  requestToWire: (request) => request,
  replyToWire: () => ({}),
  replyFromWire: () => undefined,
};

/** Every method of the service, by its name in gym.proto. */
export const codecs = {
  Describe: describe,
  List: list,
  Prefetch: prefetch,
  Create: create,
  Act: act,
  Grade: grade,
  Release: release,
  ScoreScripts: scoreScripts,
  Cancel: cancel,
  Health: health,
  Heartbeat: heartbeat,
} as const;

export type MethodName = keyof typeof codecs;

function taskFromWire(wire: WireTaskRef): service.TaskRef {
  return { id: wire?.id ?? '', sample: wire?.sample ?? 0 };
}

function startFromWire(wire: WireEpisode): service.EpisodeStart {
  const { id, prompt, maxSteps } = wire;
  const observation = observationFromWire(wire.observation);
  return { id, prompt, maxSteps, observation, task: wire.task as TaskId, taskHash: wire.taskHash as TaskHash };
}

function truncationFromWire(text: string): 'context' | 'time' | null {
  if (text === '') return null;
  if (text === 'context' || text === 'time') return text;
  throw new InputError({
    code: 'E_PROTOBUF',
    what: 'Cannot take the reason of a truncation',
    where: 'GradeRequest.truncated',
    expected: 'empty, "context" or "time"',
    found: JSON.stringify(text.slice(0, 64)),
  });
}

/** Empty stands for the first. */
function oneOf<Name extends string>(where: string, text: string, names: readonly [Name, ...Name[]]): Name {
  const found = text === '' ? names[0] : names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new InputError({
    code: 'E_PROTOBUF',
    what: 'Cannot create an episode',
    where,
    expected: `empty, ${names.map((name) => `"${name}"`).join(' or ')}`,
    found: JSON.stringify(text.slice(0, 64)),
  });
}
