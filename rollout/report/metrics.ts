import type { RolloutRecord } from '../record/index.ts';
import { tasksForDifference } from '../stats/index.ts';
import { type ArmFigures, makeArmFigures } from './arm-figures.ts';
import { type CliffFigures, makeCliffFigures } from './cliff-figures.ts';
import { type EffortFigures, makeEffortFigures } from './effort-figures.ts';
import { isJudged } from './episode.ts';
import { type Ehc, type EventFigures, makeEhc, makeEventFigures } from './event-figures.ts';
import { countWhere } from './group.ts';
import { makeSuiteFigures, type SuiteFigures } from './suite-figures.ts';

/** Every metric of one policy beyond pass rates, with intervals. */
export interface Metrics {
  readonly events: readonly EventFigures[];
  readonly ehc: Ehc;
  readonly arms: ArmFigures;
  readonly effort: EffortFigures;
  readonly cliff: readonly CliffFigures[];
  readonly suite: SuiteFigures;
  readonly power: PowerHint | null;
}

/** How many tasks another policy of `rate` ± `difference` would have to be played on, each, to be told apart. */
export interface PowerHint {
  readonly rate: number;
  readonly difference: number;
  readonly tasks: number;
  /** Tasks that were played. */
  readonly played: number;
}

/** From the records of one policy. Takes seconds for a thousand episodes with events: each interval is 10,000 draws. */
export function makeMetrics(records: readonly RolloutRecord[]): Metrics {
  return {
    events: makeEventFigures(records),
    ehc: makeEhc(records),
    arms: makeArmFigures(records),
    effort: makeEffortFigures(records),
    cliff: makeCliffFigures(records),
    suite: makeSuiteFigures(records),
    power: makePowerHint(records),
  };
}

/** For ten points towards the middle, at 80 % power. */
function makePowerHint(records: readonly RolloutRecord[]): PowerHint | null {
  const judged = records.filter(isJudged);
  if (judged.length === 0) return null;
  const rate = countWhere(judged, ({ passed }) => passed) / judged.length;
  const difference = rate <= 0.5 ? 0.1 : -0.1;
  const played = new Set(judged.map(({ task_hash }) => task_hash)).size;
  return { rate, difference, tasks: tasksForDifference(rate, difference), played };
}
