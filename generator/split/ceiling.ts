import { InputError } from '../../env/index.ts';
import { axisNames, isAxisWithin } from './axes.ts';
import type { Split } from './split.ts';

/**
 * Why `inner` is not provably a subset of `ceiling`, axis by axis; null where it is. Sound, not complete: a split that
 * lists tasks is inside of one that lists axes only if its own axes say so too.
 */
export function explainWider(inner: Split, ceiling: Split): string | null {
  const wider = axisNames.find((axis) => !isAxisWithin(axis, inner.axes, ceiling.axes));
  return wider === undefined ? null : `"${inner.name}" is wider than "${ceiling.name}" in ${wider}`;
}

/** Throws an InputError (`E_SPLIT_WIDER`) unless `inner` is inside `ceiling`. */
export function requireInside(inner: Split, ceiling: Split): void {
  const reason = explainWider(inner, ceiling);
  if (reason === null) return;
  throw new InputError({
    code: 'E_SPLIT_WIDER',
    what: `Cannot narrow split "${ceiling.name}" to "${inner.name}"`,
    where: inner.label,
    expected: `a split inside ${ceiling.label}`,
    found: reason,
  });
}
