// Ids

// Choice
export { type GridFlags, publishedGrid } from './grid.ts';
// Files
export { parseJsonLine } from './json-line.ts';
export { type Line, readLines } from './lines.ts';
export { type Manifest, manifestPath, readManifest } from './manifest.ts';
export { parseTask, readTasks } from './read-tasks.ts';
export { selectTasks, type TaskFlags, type TaskSelection } from './select-tasks.ts';
export { makeTask, parseTaskId } from './task-id.ts';
export { answersPath, writeAnswers } from './write-answers.ts';
export { formatTaskLine, type WriteOptions, type WrittenTasks, writeTasks } from './write-tasks.ts';
