import type { EventNotice, EventResult } from '../../env/index.ts';
import { optional } from './wire-value.ts';

/** `EventResult` of gym.proto. Absent ticks were never. */
export interface WireEvent {
  readonly id: string;
  readonly kind: string;
  readonly firedTick?: number | null;
  readonly visibleTick?: number | null;
  readonly perceivedTick?: number | null;
  readonly perceivedBy?: string | null;
  readonly armed?: boolean | null;
  readonly polls: number;
  readonly reactedTick?: number | null;
  readonly deadlineTick?: number | null;
  readonly outcome: string;
}

export function eventToWire(event: EventResult): WireEvent {
  return {
    id: event.id,
    kind: event.kind,
    firedTick: event.fired_tick,
    visibleTick: event.visible_tick,
    perceivedTick: event.perceived_tick,
    perceivedBy: event.perceived_by,
    armed: event.armed,
    polls: event.polls,
    reactedTick: event.reacted_tick,
    deadlineTick: event.deadline_tick,
    outcome: event.outcome,
  };
}

/** The literals are taken as the server sent them. */
export function eventFromWire(wire: WireEvent): EventResult {
  return {
    id: wire.id,
    kind: wire.kind as EventResult['kind'],
    fired_tick: optional(wire, 'firedTick'),
    visible_tick: optional(wire, 'visibleTick'),
    perceived_tick: optional(wire, 'perceivedTick'),
    perceived_by: optional(wire, 'perceivedBy'),
    armed: optional(wire, 'armed'),
    polls: wire.polls,
    reacted_tick: optional(wire, 'reactedTick'),
    deadline_tick: optional(wire, 'deadlineTick'),
    outcome: wire.outcome as EventResult['outcome'],
  };
}

/** `EventNotice` of gym.proto; its fields are the core's. */
export type WireNotice = Omit<EventNotice, 'kind'> & { readonly kind: string };

export function noticeFromWire({ event, kind, worker, pane, tick }: WireNotice): EventNotice {
  return { event, kind: kind as EventNotice['kind'], worker, pane, tick };
}
