// Ids
export type { RunKey, TaskHash, TaskId } from './id.ts';
// The task and its parts
export { type Action, actionSchema } from './action.ts';
export { type Check, type CheckOp, type Probe } from './check.ts';
export { type SetupOperation, type WorkerOperation } from './plan.ts';
export { hashTask, type Limits, seedSchema, type Solution, type Task, taskSchema } from './task.ts';
// Secrets
export { fillTemplate, makeRunKey, makeSecrets, parseRunKey } from './secret.ts';
