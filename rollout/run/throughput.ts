import { z } from 'zod';

const throughputSchema = z.object({
  /** Finished episodes per second of real time, from the first reset to the last grade. */
  episodes_per_s: z.number(),
  /** CPU of this process and its sandboxes, from the gym's start to its end, over the episodes. */
  cpu_ms_per_episode: z.number(),
  /** How it was counted; see `CpuMeter`. */
  cpu_meter: z.enum(['cgroup', 'process']),
  /** Real seconds from the first reset to the last grade. */
  wall_s: z.number(),
});
export type Throughput = Readonly<z.infer<typeof throughputSchema>>;

const timeUseSchema = z.object({
  wall_s: z.number(),
  episodes_s: z.number(),
  model_s: z.number(),
  model_queue_s: z.number(),
  tmux_s: z.number(),
  tmux_queue_s: z.number(),
  grading_s: z.number(),
  other_s: z.number(),
  model_busy_share: z.number().nullable(),
  tmux_busy_share: z.number(),
  max_model_calls: z.int(),
  max_tmux: z.int(),
  gpu_idle_share: z.number().nullable(),
});

export const measuredSchema = z.object({
  throughput: throughputSchema.nullable().default(null),
  time: timeUseSchema.nullable().default(null),
});
/** What the last start that played anything measured; null where none ended. */
export type Measured = Readonly<z.infer<typeof measuredSchema>>;
