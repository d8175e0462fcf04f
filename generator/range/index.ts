export {
  type Axis,
  depthAxis,
  eventCountAxis,
  formatRange,
  levelAxis,
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
  valueAt,
  valuesOf,
} from './spans.ts';
export {
  armAxis,
  delegationAxis,
  kindAxis,
  parseWord,
  parseWords,
  profileAxis,
  suiteAxis,
  taskAxis,
  type WordAxis,
  type Words,
} from './words.ts';
