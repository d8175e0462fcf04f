import type { CheckResult, Grade } from '../../env/index.ts';
import { eventFromWire, eventToWire, type WireEvent } from './wire-event.ts';
import { optional } from './wire-value.ts';

/** `CheckResult` of gym.proto. */
interface WireCheck {
  readonly id: string;
  readonly role: string;
  readonly event: string;
  readonly value?: string | null;
  readonly note: string;
  readonly ok: boolean;
  readonly score: number;
  readonly weight: number;
}

/** `EpisodeGrade` of gym.proto. */
export interface WireGrade {
  readonly outcome: string;
  /** Absent when masked. */
  readonly reward?: number | null;
  readonly passed: boolean;
  readonly flags: readonly string[];
  readonly boundary: string;
  readonly failure: string;
  readonly checks: readonly WireCheck[];
  readonly events: readonly WireEvent[];
}

export function gradeToWire(grade: Grade): WireGrade {
  return {
    outcome: grade.outcome,
    reward: grade.reward,
    passed: grade.passed,
    flags: grade.flags,
    boundary: grade.boundary ?? '',
    failure: grade.failure ?? '',
    checks: grade.checks.map((check) => ({ ...check, event: check.event ?? '', note: check.note ?? '' })),
    events: grade.events.map(eventToWire),
  };
}

/** The literals are taken as the server sent them. */
export function gradeFromWire(wire: WireGrade): Grade {
  return {
    outcome: wire.outcome as Grade['outcome'],
    reward: optional(wire, 'reward'),
    passed: wire.passed,
    flags: [...wire.flags],
    boundary: wire.boundary === '' ? null : (wire.boundary as Grade['boundary']),
    failure: wire.failure === '' ? null : wire.failure,
    checks: wire.checks.map(checkFromWire),
    events: wire.events.map(eventFromWire),
  };
}

function checkFromWire(wire: WireCheck): CheckResult {
  return {
    id: wire.id,
    ok: wire.ok,
    score: wire.score,
    weight: wire.weight,
    role: wire.role as CheckResult['role'],
    event: wire.event === '' ? null : wire.event,
    value: optional(wire, 'value'),
    note: wire.note === '' ? null : wire.note,
  };
}
