// Ids

// Choice
export { createTasks, type TaskGate, type TaskList, type TaskListOptions } from './create-tasks.ts';
// Files
export { parseJsonLine } from './json-line.ts';
export { type Line, readLines } from './lines.ts';
export { type Manifest, manifestPath, readManifest } from './manifest.ts';
export { parseTask, readTasks } from './read-tasks.ts';
export { isTaskId, makeTask, parseTaskId, suites } from './registry.ts';
export { selectTasks, type TaskSelection } from './select-tasks.ts';
export type { Cell, Suite, TaskBox } from './suite.ts';
export { type GridFlags, gridFlagNames, publishedGrid, type TaskFlags, taskFlagNames } from './task-flags.ts';
export { answersPath, writeAnswers } from './write-answers.ts';
export { formatTaskLine, type WriteOptions, type WrittenTasks, writeTasks } from './write-tasks.ts';
