/** Whole numbers from `from` to `to`, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A set of whole numbers as spans in ascending order that neither overlap nor touch. */
export type Spans = readonly Span[];

/** Sorts spans and joins those that overlap or touch. */
export function makeSpans(spans: readonly Span[]): Spans {
  const joined: Span[] = [];
  for (const span of spans.toSorted((left, right) => left.from - right.from)) {
    const last = joined.at(-1);
    if (last === undefined || span.from > last.to + 1) joined.push(span);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return joined;
}

/** Every value in ascending order, one at a time: a span may be astronomically long. */
export function* valuesOf(spans: Spans): Generator<number, void, undefined> {
  for (const { from, to } of spans) {
    for (let value = from; value <= to; value++) yield value;
  }
}

export function countValues(spans: Spans): number {
  return spans.reduce((sum, { from, to }) => sum + (to - from + 1), 0);
}

/** The value at a place in ascending order, counted from 0; null beyond the last. */
export function valueAt(spans: Spans, place: number): number | null {
  let rest = place;
  for (const { from, to } of spans) {
    if (rest <= to - from) return from + rest;
    rest -= to - from + 1;
  }
  return null;
}

export function hasValue(spans: Spans, value: number): boolean {
  return spans.some(({ from, to }) => from <= value && value <= to);
}

/** Whether every value of `inner` is in `outer`. */
export function isWithin(inner: Spans, outer: Spans): boolean {
  return inner.every(({ from, to }) => outer.some((span) => span.from <= from && to <= span.to));
}

/** The values that are in both. */
export function intersectSpans(left: Spans, right: Spans): Spans {
  return makeSpans(
    left.flatMap((a) =>
      right
        .map((b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }))
        .filter(({ from, to }) => from <= to),
    ),
  );
}
