// A split and its file
export { explainWider, requireInside } from './ceiling.ts';
export { findSplitFile, loadSplit, loadSplits } from './load-split.ts';
export { requireAllowed, type Split, type SplitAxes } from './split.ts';
export { freezeSplitFile, hashSplitFile, type SplitFile, type SplitRules, splitFileSchema } from './split-file.ts';
