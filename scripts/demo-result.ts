import type { DemoPlan } from './demo-plan.ts';
import type { DemoRow, EvalReport, Stage } from './demo-table.ts';
import type { Training } from './demo-train.ts';

/** What one evaluation found, and how many rows its Arrow file holds. */
export interface Evaluation {
  readonly stage: Stage;
  readonly report: EvalReport;
  readonly arrowRows: number;
}

export interface DemoResult {
  readonly plan: DemoPlan;
  readonly rows: readonly DemoRow[];
  readonly evaluations: readonly Evaluation[];
  readonly training: Training;
  readonly refusals: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  readonly seconds: number;
}
