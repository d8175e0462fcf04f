export { boundarySchema, type CheckResult, checkResultSchema, type Grade, gradeSchema } from './grade.ts';
export { gradeWorld } from './grader.ts';
