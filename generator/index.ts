// The cliff
export { type CliffSpec, formatCliffId, generatorVersion, makeCliffTask } from './cliff/index.ts';
// Choosing and reading tasks
export {
  type GridFlags,
  type Manifest,
  makeTask,
  manifestPath,
  parseTask,
  parseTaskId,
  publishedGrid,
  readManifest,
  readTasks,
  selectTasks,
  type TaskFlags,
  type TaskSelection,
} from './select/index.ts';
// Splits
export {
  explainWider,
  findSplitFile,
  loadSplit,
  loadSplits,
  requireAllowed,
  requireInside,
  type Split,
} from './split/index.ts';
