// Axes
export {
  type AxisFacts,
  type AxisName,
  type AxisTexts,
  explainFacts,
  explainOutside,
  intersectAxes,
  isDecided,
  parseAxes,
  type TaskAxes,
} from './axes.ts';
// A split and its file
export { explainWider, requireInside } from './ceiling.ts';
export { findSplitFile, loadSplit, loadSplits } from './load-split.ts';
export { requireAllowed, type Split } from './split.ts';
export { freezeSplitFile } from './split-file.ts';
