import type { RolloutRecord } from '../record/index.ts';
import { bootstrapInterval, type Cluster, passAtK, wilsonInterval } from '../stats/index.ts';

/** Why episodes were cut, counted. */
export type Truncations = Readonly<Record<'steps' | 'ticks' | 'time' | 'context', number>>;

/**
 * The figures of a set of episodes. Masked ones stand in `episodes` and `masked` only: no rate, mean or count of
 * behaviour includes them. What does not apply, or has no episode to speak of, is null.
 */
export interface Figures {
  readonly episodes: number;
  readonly scored: number;
  readonly flagged: number;
  readonly masked: number;
  readonly passed: number;
  /** passed / (scored + flagged). */
  readonly pass_rate: number | null;
  /** 95 %; `ci_method` says by which method. */
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly ci_method: 'wilson' | 'bootstrap' | null;
  readonly mean_reward: number | null;
  readonly missed_event_rate: number | null;
  readonly ehc: number | null;
  readonly false_alarm_rate: number | null;
  /** Model answers without a valid action. */
  readonly format_failures: number;
  /** Episodes that were cut, and by what. */
  readonly truncated: number;
  readonly truncated_by: Truncations;
  /** pass@k by k (1 and the samples a task has), the mean over tasks; null where each task was run once. */
  readonly pass_at_k: Readonly<Record<string, number>> | null;
}

/** What the episodes of a cell share; null where an axis does not apply or, in totals, is mixed. */
export interface Axes {
  readonly suite: string | null;
  readonly pillar: string | null;
  readonly depth: number | null;
  readonly ops: number | null;
  readonly kind: string | null;
  readonly level: string | null;
  readonly arm: string | null;
}

export type Cell = Axes & Figures;

/** One cell, with Wilson's interval. */
export function makeCell(records: readonly RolloutRecord[]): Cell {
  return { ...makeAxes(records), ...makeFigures(records) };
}

/**
 * Several cells as one, averaged over all episodes or over the cells. The interval is the seeded bootstrap over cells
 * and tasks; where no draw can differ, since within each cell all tasks went alike, a width of 0 would promise too
 * much, and it is Wilson's over the episodes.
 */
export function makeAggregate(records: readonly RolloutRecord[], weight: 'episode' | 'stratum'): Cell {
  const strata = [...groupBy(records.filter(isJudged), cellKey).values()];
  const cell = makeCell(records);
  if (strata.length === 0) return cell;
  const clusters = strata.map((stratum) => [...groupBy(stratum, (record) => record.task_hash).values()].map(toCluster));
  const { low, high } = bootstrapInterval(clusters, { weight });
  const rates = strata.map((stratum) => countPassed(stratum) / stratum.length);
  const interval = low === high ? {} : ({ ci_low: low, ci_high: high, ci_method: 'bootstrap' } as const);
  return { ...cell, ...(weight === 'stratum' ? { pass_rate: meanOf(rates) } : {}), ...interval };
}

/** Episodes of one cell have the same key. */
export function cellKey({ suite, pillar, depth, ops, kind, level, arm }: RolloutRecord): string {
  return JSON.stringify([suite, pillar, depth, ops, kind, level, arm]);
}

/** Groups in the order in which their keys first appear. */
export function groupBy<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}

function makeFigures(records: readonly RolloutRecord[]): Figures {
  const judged = records.filter(isJudged);
  const passed = countPassed(judged);
  const interval = judged.length === 0 ? null : wilsonInterval(passed, judged.length);
  const truncated_by = countTruncations(judged);
  return {
    episodes: records.length,
    scored: countWhere(records, ({ outcome }) => outcome === 'scored'),
    flagged: countWhere(records, ({ outcome }) => outcome === 'flagged'),
    masked: records.length - judged.length,
    passed,
    pass_rate: judged.length === 0 ? null : passed / judged.length,
    ci_low: interval?.low ?? null,
    ci_high: interval?.high ?? null,
    ci_method: interval === null ? null : 'wilson',
    mean_reward: judged.length === 0 ? null : meanOf(judged.map(({ reward }) => reward ?? 0)),
    missed_event_rate: null,
    ehc: null,
    false_alarm_rate: null,
    format_failures: judged.reduce((sum, { format_failures }) => sum + format_failures, 0),
    truncated: Object.values(truncated_by).reduce((sum, count) => sum + count, 0),
    truncated_by,
    pass_at_k: makePassAtK(judged),
  };
}

/** Scored or flagged: the episodes that rates are made of. A flagged one counts as not passed, with reward 0. */
function isJudged({ outcome }: RolloutRecord): boolean {
  return outcome !== 'masked';
}

function makeAxes(records: readonly RolloutRecord[]): Axes {
  const shared = <Key extends keyof Axes>(key: Key): Axes[Key] | null => {
    const first = records[0]?.[key] ?? null;
    return records.every((record) => record[key] === first) ? (first as Axes[Key]) : null;
  };
  return {
    suite: shared('suite'),
    pillar: shared('pillar'),
    depth: shared('depth'),
    ops: shared('ops'),
    kind: shared('kind'),
    level: shared('level'),
    arm: shared('arm'),
  };
}

function toCluster(records: readonly RolloutRecord[]): Cluster {
  return { sum: countPassed(records), count: records.length };
}

function countPassed(records: readonly RolloutRecord[]): number {
  return countWhere(records, ({ passed }) => passed);
}

function countWhere<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.filter(holds).length;
}

function countTruncations(records: readonly RolloutRecord[]): Truncations {
  const by = (reason: keyof Truncations) => countWhere(records, ({ truncated_by }) => truncated_by === reason);
  return { steps: by('steps'), ticks: by('ticks'), time: by('time'), context: by('context') };
}

/** Over the tasks that have as many samples as the best sampled one, so that every k means the same tasks. */
function makePassAtK(judged: readonly RolloutRecord[]): Readonly<Record<string, number>> | null {
  const tasks = [...groupBy(judged, ({ task_hash }) => task_hash).values()];
  const samples = Math.max(0, ...tasks.map((records) => records.length));
  if (samples < 2) return null;
  const full = tasks.filter((records) => records.length === samples);
  const at = (k: number) => meanOf(full.map((records) => passAtK(samples, countPassed(records), k)));
  return { 1: at(1), [samples]: at(samples) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
