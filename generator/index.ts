// The cliff
export {
  type CliffSpec,
  formatCliffId,
  generatorVersion,
  makeCliffTask,
  type Profile,
} from './cliff/index.ts';
// One sample for each kind of task, to look at
export { makeGallery } from './gallery/index.ts';
// Frozen tasks
export { explainGolden, findGoldenChanges, type GoldenChange, readGolden, writeGolden } from './golden/index.ts';
// Leaks between training data and held-out tasks
export { checkLeaks, explainHeldOut, type Leak, type LeakReport, type LeakRow, readRows } from './leak/index.ts';
// Event tasks by level
export { type EventSpec, formatEventId, levels, makeEventTask, parseEventId } from './levels/index.ts';
// Choosing, reading and writing tasks
export {
  answersPath,
  createTasks,
  formatTaskLine,
  type GridFlags,
  gridFlagNames,
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
  type TaskGate,
  type TaskList,
  type TaskListOptions,
  type TaskSelection,
  taskFlagNames,
  type WriteOptions,
  type WrittenTasks,
  writeAnswers,
  writeTasks,
} from './select/index.ts';
// Splits
export {
  explainWider,
  findSplitFile,
  freezeSplitFile,
  loadSplit,
  loadSplits,
  requireAllowed,
  requireInside,
  type Split,
} from './split/index.ts';
// The suite: tasks as TOML, ours and of the published format
export {
  findSuiteTask,
  listTaskFiles,
  loadSuite,
  loadTaskFile,
  loadTaskFolder,
  makeTaskJsonSchema,
  makeTaskTemplate,
  parseTaskFile,
  type SuiteName,
  suiteFolder,
  suiteNames,
  templateKinds,
} from './suite/index.ts';
// Validation
export {
  findStructureFailures,
  runSolution,
  type ValidateOptions,
  type ValidationFailure,
  type ValidationReport,
  validateTask,
  validateTasks,
} from './validate/index.ts';
