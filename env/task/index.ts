// Ids

// The task and its parts
export type { Act, Hear } from './act.ts';
export { type Action, actionSchema } from './action.ts';
export { type Check, type CheckOp, checkOpSchema, type Probe } from './check.ts';
export { type EventAxes, type EventKind, eventAxesSchema, eventKinds, eventSchema, type TaskEvent } from './event.ts';
export type { RunKey, TaskHash, TaskId } from './id.ts';
export type { SetupOperation, WorkerOperation } from './plan.ts';
export { requirePosable } from './posable.ts';
// Secrets
export { fillDeep, fillTemplate, makeRunKey, makeSecrets, parseRunKey } from './secret.ts';
export { hashTask, type Limits, type Solution, seedSchema, type Task, taskSchema } from './task.ts';
