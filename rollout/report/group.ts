import type { Sums } from '../stats/index.ts';

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

/** Items as the strata of a bootstrap: grouped by stratum, each cluster within it as its sums. */
export function makeStrata<Item>(
  items: readonly Item[],
  keys: { readonly stratum: (item: Item) => string; readonly cluster: (item: Item) => string },
  sums: (cluster: readonly Item[]) => Sums,
): readonly (readonly Sums[])[] {
  return [...groupBy(items, keys.stratum).values()].map((stratum) =>
    [...groupBy(stratum, keys.cluster).values()].map(sums),
  );
}

export function countWhere<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.filter(holds).length;
}

export function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** Throws a RangeError for no values. */
export function meanOf(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('Cannot take the mean of no values');
  return sumOf(values, (value) => value) / values.length;
}
