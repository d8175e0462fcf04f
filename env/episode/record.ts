import { z } from 'zod';
import { eventResultSchema } from '../evidence/index.ts';
import { boundarySchema, checkResultSchema } from '../grade/index.ts';
import { seedSchema } from '../task/index.ts';
import { deliveries } from './notice.ts';

/** Milliseconds of real time. */
const timingsSchema = z.strictObject({
  reset_ms: z.number(),
  step_ms: z.number(),
  grade_ms: z.number(),
  policy_ms: z.number(),
});

/** One line of `episodes.jsonl`: a finished episode. Fields are only ever added. */
export const episodeRecordSchema = z.object({
  schema: z.literal(1),
  /** Task hash, policy and sample, as one key: `<first 16 of the hash>-<policy>-<sample>`. */
  episode: z.string(),
  task: z.string(),
  task_hash: z.string(),
  suite: z.string(),
  pillar: z.string(),
  depth: z.int().nullable(),
  ops: z.int().nullable(),
  sample: z.int().min(0),
  /** 0 for the first try; a masked episode is tried again within a bound. */
  attempt: z.int().min(0),
  seed: seedSchema,
  /** `file:name` of the split that the run was held to, or null. */
  split: z.string().nullable(),
  policy: z.string(),
  /** Where the trace is: `traces.jsonl#<byte offset>`. */
  trace: z.string(),
  outcome: z.enum(['scored', 'flagged', 'masked']),
  reward: z.number().nullable(),
  passed: z.boolean(),
  flags: z.array(z.string()),
  boundary: boundarySchema.nullable(),
  failure: z.string().nullable(),
  checks: z.array(checkResultSchema),
  events: z.array(eventResultSchema),
  steps: z.int(),
  ticks: z.int(),
  wall_ticks: z.int(),
  reproducible: z.boolean(),
  format_failures: z.int(),
  truncated_by: z.enum(['steps', 'ticks', 'time', 'context']).nullable(),
  /** The rung of the isolation ladder. */
  sandbox: z.string(),
  tmux_version: z.string(),
  /** SHA-256 over all observations, after the placeholders of `normalizeObservation`. */
  observation_hash: z.string(),
  observation_hash_raw: z.string(),
  replaced_bytes: z.int(),
  timings: timingsSchema,
  /** Of an event task: its kind, level, arm, number of events and depth of delegation. */
  kind: z.string().optional(),
  level: z.int().nullable().optional(),
  arm: z.enum(['event', 'none', 'told']).optional(),
  count: z.int().optional(),
  delegation: z.enum(['solo', 'one', 'nested']).optional(),
  category: z.string().optional(),
  tier: z.int().optional(),
  /** `shell`: probes of the published format, the weaker instrument. */
  instrument: z.literal('shell').optional(),
  delivery: z.enum(deliveries).optional(),
  clock: z.enum(['virtual', 'wall']).optional(),
  /** Best probability to pass without perceiving, as the task states it. */
  guess: z.number().optional(),
  /** Commands of tmux that the agent ran, by the server's record; null where the task keeps none. */
  agent_commands: z.int().nullable().optional(),
  /** Actions that ended with another exit status than 0. */
  failed_commands: z.int().optional(),
});

export type EpisodeRecord = Readonly<z.infer<typeof episodeRecordSchema>>;
