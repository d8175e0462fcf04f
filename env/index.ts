// The task and its parts

// The gym: reset, step, close
export {
  checkEnv,
  createGym,
  createWeakenedGym,
  type Delivery,
  deliveries,
  describeEvent,
  type Env,
  type EpisodeRecord,
  type EpisodeSummary,
  type EventNotice,
  episodeRecordSchema,
  type Gym,
  type GymOptions,
  maskedGrade,
  type Observation,
  type Reset,
  type ResetOptions,
  type Step,
  type StepInfo,
  type TraceLine,
  type TruncationReason,
  traceLineSchema,
} from './episode/index.ts';
// Errors
export { type Boundary, BoundaryError, boundaries, type ErrorFacts, formatFacts, InputError } from './errors.ts';
// Grades
export { type EventOutcome, type EventResult, eventOutcomes } from './evidence/index.ts';
export type { CheckResult, Grade } from './grade/index.ts';
// Where the package lies
export { packageRoot } from './native/index.ts';
// The isolation ladder, and for the red team alone, what a defence switched off is called
export { currentOwner, isAlive, isAtLeast, type Owner, type Rung, rungs, type Weakness } from './sandbox/index.ts';
export {
  type Act,
  type Action,
  actionSchema,
  type Check,
  type CheckOp,
  checkOpSchema,
  type EventAxes,
  type EventKind,
  eventAxesSchema,
  eventKinds,
  eventSchema,
  fillTemplate,
  type Hear,
  hashTask,
  type Limits,
  makeRunKey,
  makeSecrets,
  type Probe,
  parseRunKey,
  type RunKey,
  type SetupOperation,
  type Solution,
  seedSchema,
  type Task,
  type TaskEvent,
  type TaskHash,
  type TaskId,
  taskSchema,
  type WorkerOperation,
} from './task/index.ts';
