import type { Rung, RunKey, Task } from '../../env/index.ts';
import type { Policy } from '../policy/index.ts';
import type { BudgetLimits } from './budget.ts';
import type { PlaySetting } from './setting.ts';

export interface RunOptions {
  readonly folder: string;
  readonly policy: Policy;
  readonly tasks: readonly Task[];
  /** Times each task is played, each time with other secrets. @default 1 */
  readonly samples?: number;
  /** Episodes at a time. @default 2 x cores, or 32 for a policy that waits for a model */
  readonly maxConcurrent?: number | undefined;
  /** Calls of the model at a time; the others wait in order. @default one an episode */
  readonly maxModelCalls?: number | undefined;
  /** Resets, steps and grades at a time; the others wait in order. @default 4 x cores, at least 8 */
  readonly maxTmux?: number | undefined;
  /** Real milliseconds of one episode. @default none beside the task's own limit */
  readonly timeoutMs?: number | undefined;
  /** @default polled, virtual, shaped */
  readonly setting?: PlaySetting | undefined;
  /** Tries of an episode that the machinery spoils, before it is recorded as masked. @default 3 */
  readonly maxAttempts?: number;
  /** What the run may use before it stops, to be continued. @default no limits */
  readonly budget?: BudgetLimits;
  /** Start over in a folder that holds a run. @default false */
  readonly clean?: boolean;
  /** @default the recorded key, or a new one */
  readonly runKey?: RunKey | undefined;
  readonly rung?: Rung | undefined;
  readonly minRung?: Rung | undefined;
  /** `file:name` of the split that the tasks were held to. @default null */
  readonly split?: string | null;
  /** Flags that chose the tasks, to be kept beside the configuration. @default none */
  readonly selection?: Readonly<Record<string, string>>;
  /** Stops the run; what finished is kept. */
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}
