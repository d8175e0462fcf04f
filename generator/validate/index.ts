export type { ValidationFailure } from './failure.ts';
export { runSolution } from './run-solution.ts';
export { findStructureFailures } from './structure.ts';
export { validateTask } from './validate-task.ts';
export { type ValidateOptions, type ValidationReport, validateTasks } from './validate-tasks.ts';
