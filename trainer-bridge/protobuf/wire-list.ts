import type { Task, TaskHash } from '../../env/index.ts';
import { gridFlagNames } from '../../generator/index.ts';
import type { ListRequest, TaskPage } from '../core/index.ts';
import { optional, uint64FromWire, type WireUint64 } from './wire-value.ts';

/** `ListRequest` of gym.proto. */
export interface WireListRequest {
  readonly client: string;
  readonly suite: string;
  readonly seed: WireUint64;
  readonly size: WireUint64;
  readonly ranges: Readonly<Record<keyof ListRequest['ranges'], string>> | null;
  readonly from: WireUint64;
  readonly count: number;
}

/** `ListReply`. */
export interface WireTaskPage {
  readonly tasks: readonly { readonly json: string; readonly taskHash: string }[];
  readonly size?: WireUint64;
}

/** An empty range is one that is not given. Throws `E_PROTOBUF` for numbers above 2^53 - 1. */
export function listFromWire({ client, suite, seed, size, ranges, from, count }: WireListRequest): ListRequest {
  const given = gridFlagNames.filter((name) => (ranges?.[name] ?? '') !== '').map((name) => [name, ranges?.[name]]);
  return {
    client,
    suite,
    seed: uint64FromWire(seed, 'ListRequest.seed'),
    size: uint64FromWire(size, 'ListRequest.size'),
    ranges: Object.fromEntries(given),
    from: uint64FromWire(from, 'ListRequest.from'),
    count,
  };
}

export function pageToWire({ tasks, size }: TaskPage): object {
  const listed = tasks.map(({ task, hash }) => ({ json: JSON.stringify(task), taskHash: hash }));
  return size === null ? { tasks: listed } : { tasks: listed, size };
}

export function pageFromWire(wire: WireTaskPage): TaskPage {
  const size = optional(wire, 'size');
  return {
    tasks: wire.tasks.map(({ json, taskHash }) => ({ task: JSON.parse(json) as Task, hash: taskHash as TaskHash })),
    size: size === null ? null : uint64FromWire(size, 'ListReply.size'),
  };
}
