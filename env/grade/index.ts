export {
  boundarySchema,
  type CheckResult,
  checkResultSchema,
  type Grade,
  gradeSchema,
} from './grade.ts';
