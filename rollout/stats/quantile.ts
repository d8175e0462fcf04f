/**
 * A quantile of sorted values by linear interpolation between order statistics (NumPy's default). Throws a RangeError
 * for no values.
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new RangeError('Cannot take a quantile of no values');
  return below + (above - below) * (position - Math.floor(position));
}

/** The median of values in any order. Throws a RangeError for none. */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
