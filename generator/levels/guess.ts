import type { EventMaker } from './kind.ts';

/**
 * The best probability to name the right windows without perceiving anything, where naming them is all that is asked:
 * one choice of `c` among `k` windows for each kind. Null where some event carries secrets of its own.
 */
export function guessOf(happening: readonly EventMaker[], candidates: (maker: EventMaker) => number): number | null {
  if (!happening.every(({ choosesWindow }) => choosesWindow)) return null;
  const kinds = new Map<EventMaker, number>();
  for (const maker of happening) kinds.set(maker, (kinds.get(maker) ?? 0) + 1);
  const ways = [...kinds].reduce((product, [maker, count]) => product * choose(candidates(maker), count), 1);
  return 1 / ways;
}

/** The binomial coefficient. */
function choose(all: number, some: number): number {
  let ways = 1;
  for (let index = 1; index <= some; index++) ways = (ways * (all - some + index)) / index;
  return ways;
}
