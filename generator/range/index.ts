export {
  type Axis,
  depthAxis,
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
  type Spans,
  valuesOf,
} from './spans.ts';
