export {
  boundarySchema,
  type CheckResult,
  checkResultSchema,
  type Grade,
  gradeSchema,
} from './grade.ts';
export { gradeChecks } from './grader.ts';
export { scoreOp } from './op.ts';
export { type ProbeRead, type ProbeSources, readProbes } from './probe.ts';
export { readReportFile } from './report-file.ts';
