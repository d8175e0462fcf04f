import type { Grade } from '../grade/index.ts';
import type { EventNotice } from './notice.ts';
import type { Observation } from './observation.ts';

/** Why an episode was cut: `steps` and `ticks` by the task's limits, `time` by the wall limit, `context` by the policy. */
export type TruncationReason = 'steps' | 'ticks' | 'time' | 'context';

/** Facts beside the observation; nothing here helps the agent to solve the task. */
export interface StepInfo {
  /** Virtual ticks since the episode began, after this step. */
  readonly tick: number;
  /** Actions so far, this one included. */
  readonly steps: number;
  /** The action was ended at the tick budget of one action. */
  readonly actionCut: boolean;
  /** Ticks of this action that followed real time (a real timer, or computing). */
  readonly wallTicks: number;
  /** False once a computing action made the number of ticks depend on the machine. */
  readonly reproducible: boolean;
  /** Events that began during this step, where the delivery is `push`; else empty. */
  readonly pushed: readonly EventNotice[];
  /** The grade, once the episode ended. */
  readonly grade: Grade | null;
}

/** Gymnasium's step, by name. */
export interface Step {
  readonly observation: Observation;
  /** 0 while the episode goes on, the grade's reward at its end, null where it was masked. */
  readonly reward: number | null;
  /** The agent said done. */
  readonly terminated: boolean;
  readonly truncated: false | TruncationReason;
  readonly info: StepInfo;
}
