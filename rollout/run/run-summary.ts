import type { Summary } from '../report/index.ts';
import type { BudgetStop, Usage } from './budget.ts';
import type { Throughput } from './throughput.ts';
import type { TimeUse } from './time-use.ts';

/** `summary.json`: what `muxgym eval --json` prints. */
export interface RunSummary extends Summary {
  readonly run: string;
  /** Of the start that played the last episode; null where none was timed. */
  readonly throughput: Throughput | null;
  /** Where the time of that start went. */
  readonly time: TimeUse | null;
  /** Of all starts; null where the server counted none, or no price is known. */
  readonly usage: Usage;
  /** Whether all episodes were played. */
  readonly complete: boolean;
  /** The limit that ended the last start; raise it and run the same command to continue. */
  readonly stopped_by: BudgetStop | null;
  readonly episodes_file: string;
  readonly arrow_file: string;
  readonly steps_file: string;
  readonly turns_file: string;
  readonly events_file: string;
  readonly report: string;
}
