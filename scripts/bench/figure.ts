/** One measured quantity of a benchmark run. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** The same quantity of the floor, in the same run; null where there is no floor. */
  readonly floor: number | null;
  /** median / floor */
  readonly ratio: number | null;
  /** What is promised, such as `ratio <= 1.3`; null where nothing is. */
  readonly target: string | null;
  readonly ok: boolean;
}

export interface Target {
  readonly of: 'median' | 'ratio';
  readonly relation: '<=' | '>=';
  readonly limit: number;
}

export interface Samples {
  readonly name: string;
  readonly unit: string;
  /** At least one. */
  readonly values: readonly number[];
  /** @default [] no floor */
  readonly floors?: readonly number[];
  /** @default no target, which is always met */
  readonly target?: Target;
}

/** Sums samples up: medians, and whether the target is met. Throws a RangeError without samples. */
export function makeFigure({ name, unit, values, floors = [], target }: Samples): Figure {
  const median = medianOf(values);
  const floor = floors.length === 0 ? null : medianOf(floors);
  const ratio = floor === null ? null : median / floor;
  const spread = { min: round(Math.min(...values)), max: round(Math.max(...values)) };
  const base = { name, unit, median: round(median), ...spread, floor: roundOrNull(floor), ratio: roundOrNull(ratio) };
  if (target === undefined) return { ...base, target: null, ok: true };
  const value = target.of === 'ratio' ? (ratio ?? Number.NaN) : median;
  const ok = target.relation === '<=' ? value <= target.limit : value >= target.limit;
  return { ...base, target: `${target.of} ${target.relation} ${target.limit}`, ok };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle];
  if (upper === undefined || lower === undefined) throw new RangeError('Cannot take the median of no samples');
  return (upper + lower) / 2;
}

/** Four significant digits. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value);
}
