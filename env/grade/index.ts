export {
  boundarySchema,
  type CheckResult,
  checkResultSchema,
  type EventResult,
  eventOutcomes,
  eventResultSchema,
  type Grade,
  gradeSchema,
} from './grade.ts';
export { gradeChecks } from './grader.ts';
export { type ProbeRead, type ProbeSources, readProbes } from './probe.ts';
