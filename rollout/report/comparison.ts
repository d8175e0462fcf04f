import { InputError } from '../../env/index.ts';
import type { RolloutRecord } from '../record/index.ts';
import {
  fisherExact,
  holmAdjust,
  mcnemarExact,
  type Pair,
  type PairedDifference,
  pairedBootstrap,
  tasksForPairedDifference,
} from '../stats/index.ts';
import { cellKey, isJudged } from './episode.ts';
import { cellName } from './grid.ts';
import { countWhere, groupBy, sumOf } from './group.ts';
import { makeRate, type Rate } from './rate.ts';

/** Two policies on the same tasks. */
export interface Comparison {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /** One per suite and depth, or per kind, level, count and arm where there is no depth. */
  readonly rows: readonly ComparedRow[];
  readonly total: ComparedRow;
  readonly power: { readonly difference: number; readonly discordant: number; readonly tasks: number } | null;
}

export interface ComparedSide {
  readonly file: string;
  readonly policy: string;
  readonly model: string | null;
  readonly episodes: number;
  /** Our own failures: in no figure. */
  readonly masked: number;
  /** Tasks that only the other side has with a verdict, by id, with the sample where tasks have several. */
  readonly missing: readonly string[];
}

export interface ComparedRow {
  readonly label: string;
  readonly tasks: number;
  readonly a: Rate;
  readonly b: Rate;
  /** b − a, over the tasks that both played; null without one. */
  readonly paired: PairedDifference | null;
  /** Pairs of one sample each that only one side passed. */
  readonly only_a: number;
  readonly only_b: number;
  readonly pairs: number;
  /** Exact McNemar over those pairs; samples of one task count as pairs of their own. */
  readonly mcnemar: number;
  /** Fisher's exact test on the same episodes, as for trained against base. */
  readonly fisher: number;
  /** Over the rows; null in the total. */
  readonly mcnemar_holm: number | null;
  readonly fisher_holm: number | null;
}

/** One run's records, of one policy and model. */
export interface ComparedInput {
  readonly file: string;
  readonly records: readonly RolloutRecord[];
}

/**
 * Compares two runs by task and sample. Throws an InputError where a run holds several policies or models, or none
 * (`E_COMPARE`), or where no task has a verdict in both.
 */
export function compareRuns(a: ComparedInput, b: ComparedInput): Comparison {
  const [left, right] = [judgedOf(a), judgedOf(b)];
  const pairs = pairUp(left, right);
  if (pairs.length === 0) throw compareError(`${a.file} and ${b.file}`, 'a task that both played', 'none');
  const groups = [...groupBy(pairs, ({ a: one }) => rowLabel(one))].sort(([x], [y]) => (x < y ? -1 : 1));
  const total = makeRow('all', pairs);
  return {
    a: makeSide(a, left, right),
    b: makeSide(b, right, left),
    rows: adjust(groups.map(([label, group]) => makeRow(label, group))),
    total,
    power: makePower(total),
  };
}

interface EpisodePair {
  readonly a: RolloutRecord;
  readonly b: RolloutRecord;
}

function judgedOf({ file, records }: ComparedInput): ReadonlyMap<string, RolloutRecord> {
  const names = new Set(records.map(({ policy, model }) => (model === null ? policy : `${policy}, model ${model}`)));
  if (names.size !== 1) throw compareError(file, 'episodes of one policy', [...names].join('; ') || 'none');
  return new Map(records.filter(isJudged).map((record) => [pairKey(record), record]));
}

function pairKey({ task_hash, sample }: RolloutRecord): string {
  return `${task_hash}-${sample}`;
}

function pairUp(
  left: ReadonlyMap<string, RolloutRecord>,
  right: ReadonlyMap<string, RolloutRecord>,
): readonly EpisodePair[] {
  return [...left].flatMap(([key, a]) => {
    const b = right.get(key);
    return b === undefined ? [] : [{ a, b }];
  });
}

function makeSide(
  { file, records }: ComparedInput,
  own: ReadonlyMap<string, RolloutRecord>,
  other: ReadonlyMap<string, RolloutRecord>,
): ComparedSide {
  const missing = [...other].filter(([key]) => !own.has(key)).map(([, record]) => record);
  const several = [...own.values(), ...other.values()].some(({ sample }) => sample > 0);
  return {
    file,
    policy: records[0]?.policy ?? '',
    model: records[0]?.model ?? null,
    episodes: records.length,
    masked: records.length - own.size,
    missing: missing.map(({ task, sample }) => (several ? `${task} sample ${sample}` : task)),
  };
}

function rowLabel(record: RolloutRecord): string {
  return record.depth === null ? cellName(record) : `${record.suite} D${record.depth}`;
}

function makeRow(label: string, pairs: readonly EpisodePair[]): ComparedRow {
  const passedA = countWhere(pairs, ({ a }) => a.passed);
  const passedB = countWhere(pairs, ({ b }) => b.passed);
  const only_a = countWhere(pairs, ({ a, b }) => a.passed && !b.passed);
  const only_b = countWhere(pairs, ({ a, b }) => b.passed && !a.passed);
  const n = pairs.length;
  return {
    label,
    tasks: new Set(pairs.map(({ a }) => a.task_hash)).size,
    a: makeRate(passedA, n),
    b: makeRate(passedB, n),
    paired: pairedBootstrap(makeStrata(pairs)),
    only_a,
    only_b,
    pairs: n,
    mcnemar: mcnemarExact(only_a, only_b),
    fisher: fisherExact(passedA, n - passedA, passedB, n - passedB),
    mcnemar_holm: null,
    fisher_holm: null,
  };
}

function makeStrata(pairs: readonly EpisodePair[]): readonly (readonly Pair[])[] {
  return [...groupBy(pairs, ({ a }) => cellKey(a)).values()].map((cell) =>
    [...groupBy(cell, ({ a }) => a.task_hash).values()].map((task) => ({
      a: { sum: countWhere(task, ({ a }) => a.passed), count: task.length },
      b: { sum: countWhere(task, ({ b }) => b.passed), count: task.length },
    })),
  );
}

function adjust(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const mcnemar = holmAdjust(rows.map((row) => row.mcnemar));
  const fisher = holmAdjust(rows.map((row) => row.fisher));
  return rows.map((row, index) => ({
    ...row,
    mcnemar_holm: mcnemar[index] ?? null,
    fisher_holm: fisher[index] ?? null,
  }));
}

/** For ten points, where the policies differ on as large a share of the pairs as here, but on no less than ten points. */
function makePower({ only_a, only_b, pairs }: ComparedRow): Comparison['power'] {
  const difference = 0.1;
  const discordant = Math.max(difference, (only_a + only_b) / pairs);
  return { difference, discordant, tasks: tasksForPairedDifference(discordant, difference) };
}

/** Episodes that could not be compared: missing on either side, or masked. */
export function countIncomparable({ a, b }: Comparison): number {
  return sumOf([a, b], ({ missing, masked }) => missing.length + masked);
}

function compareError(where: string, expected: string, found: string): InputError {
  return new InputError({ code: 'E_COMPARE', what: 'Cannot compare runs', where, expected, found });
}
