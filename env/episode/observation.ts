import { z } from 'zod';

export const observationSchema = z.strictObject({
  /** What the action printed, standard output and error in one stream, decoded as UTF-8; cut output ends with a mark. */
  text: z.string(),
  /** Exit code of the action's shell, 128 + n after signal n, null where nothing was run or the action was cut. */
  exitCode: z.int().nullable(),
  /** Bytes of output that were not kept. */
  cutBytes: z.int().min(0),
});

/** What the agent sees after an action. */
export type Observation = Readonly<z.infer<typeof observationSchema>>;

/** Of an action that ran nothing, or did not come to its end. */
export const emptyObservation: Observation = { text: '', exitCode: null, cutBytes: 0 };
