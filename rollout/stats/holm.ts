/**
 * Holm's step-down adjustment (1979) of the p-values of one family, in their own order: comparing an adjusted value
 * with α keeps the chance of any false finding in the family at α. Throws a RangeError for what is no probability.
 */
export function holmAdjust(values: readonly number[]): readonly number[] {
  for (const value of values) {
    if (!(value >= 0 && value <= 1)) throw new RangeError(`Cannot adjust p-values: ${value} is no probability`);
  }
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const adjusted = new Array<number>(values.length);
  let running = 0;
  for (const [rank, { value, index }] of order.entries()) {
    running = Math.max(running, Math.min(1, (values.length - rank) * value));
    adjusted[index] = running;
  }
  return adjusted;
}
