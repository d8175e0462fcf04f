// The gym

export { maskedGrade } from './broken.ts';
export { checkEnv } from './check-env.ts';
export { createGym, createWeakenedGym } from './create-gym.ts';
// Contracts
export type { Env, EpisodeSummary, Gym, GymOptions, Reset, ResetOptions } from './env.ts';
export { type Delivery, deliveries, describeEvent, type EventNotice } from './notice.ts';
export { type Observation, observationSchema } from './observation.ts';
export { type EpisodeRecord, episodeRecordSchema } from './record.ts';
export type { Step, StepInfo, TruncationReason } from './step.ts';
export { type TraceLine, traceLineSchema } from './trace.ts';
