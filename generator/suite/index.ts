// From a TOML file to a task
export { makeTaskJsonSchema } from './json-schema.ts';
export { loadTaskFile, parseTaskFile } from './load-task.ts';
// Folders and the suites of the house
export {
  findSuiteTask,
  listTaskFiles,
  loadSuite,
  loadTaskFolder,
  type SuiteName,
  suiteFolder,
  suiteNames,
} from './load-tasks.ts';
export { makeTaskTemplate, templateKinds } from './template.ts';
