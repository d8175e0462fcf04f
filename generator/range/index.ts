export {
  type Axis,
  depthAxis,
  formatRange,
  opsAxis,
  paraphraseAxis,
  parseRange,
  parseValue,
  seedAxis,
} from './range.ts';
export {
  countValues,
  hasValue,
  intersectSpans,
  isWithin,
  makeSpans,
  type Span,
  type Spans,
  valuesOf,
} from './spans.ts';
