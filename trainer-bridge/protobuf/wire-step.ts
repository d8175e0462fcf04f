import type { Observation, Step } from '../../env/index.ts';
import { noticeFromWire, type WireNotice } from './wire-event.ts';
import { gradeFromWire, gradeToWire, type WireGrade } from './wire-grade.ts';
import { optional, uint64FromWire, type WireUint64 } from './wire-value.ts';

/** `Observation` of gym.proto. */
export interface WireObservation {
  readonly text: string;
  readonly exitCode?: number | null;
  readonly cutBytes: WireUint64;
}

/** `ActReply` of gym.proto. */
export interface WireStep {
  readonly observation: WireObservation | null;
  readonly terminated: boolean;
  readonly truncated: string;
  readonly tick: number;
  readonly steps: number;
  readonly actionCut: boolean;
  readonly wallTicks: number;
  readonly reproducible: boolean;
  /** Absent while masked. */
  readonly reward?: number | null;
  readonly grade?: WireGrade | null;
  readonly pushed: readonly WireNotice[];
}

export function stepToWire(step: Step): WireStep {
  const { info } = step;
  return {
    observation: step.observation,
    reward: step.reward,
    terminated: step.terminated,
    truncated: step.truncated === false ? '' : step.truncated,
    tick: info.tick,
    steps: info.steps,
    actionCut: info.actionCut,
    wallTicks: info.wallTicks,
    reproducible: info.reproducible,
    grade: info.grade === null ? null : gradeToWire(info.grade),
    pushed: info.pushed,
  };
}

export function stepFromWire(wire: WireStep): Step {
  const grade = optional(wire, 'grade');
  return {
    observation: observationFromWire(wire.observation),
    reward: optional(wire, 'reward'),
    terminated: wire.terminated,
    truncated: wire.truncated === '' ? false : (wire.truncated as Exclude<Step['truncated'], false>),
    info: {
      tick: wire.tick,
      steps: wire.steps,
      actionCut: wire.actionCut,
      wallTicks: wire.wallTicks,
      reproducible: wire.reproducible,
      pushed: wire.pushed.map(noticeFromWire),
      grade: grade === null ? null : gradeFromWire(grade),
    },
  };
}

export function observationFromWire(wire: WireObservation | null): Observation {
  if (wire === null) return { text: '', exitCode: null, cutBytes: 0 };
  const cutBytes = uint64FromWire(wire.cutBytes, 'cut_bytes');
  return { text: wire.text, exitCode: optional(wire, 'exitCode'), cutBytes };
}
