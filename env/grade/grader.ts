import { type Check, fillTemplate, type Task } from '../task/index.ts';
import type { CheckResult, Grade } from './grade.ts';
import { scoreOp } from './op.ts';
import { readReportFile } from './report-file.ts';

export interface GradeOptions {
  readonly task: Task;
  readonly secrets: readonly string[];
  /** Path of the agent's HOME through a held descriptor; nothing runs in it any more. */
  readonly home: string;
  /** What tampering was seen. */
  readonly flags: readonly string[];
}

const valueLength = 4_096;

/** Grades a finished world from outside; runs nothing of the agent's. Reward and `passed` as METRICS defines them. */
export function gradeWorld({ task, secrets, home, flags }: GradeOptions): Grade {
  const checks = task.checks.map((check) => runCheck(check, home, secrets));
  const flagged = flags.length > 0;
  const weight = checks.reduce((sum, check) => sum + check.weight, 0);
  const score = checks.reduce((sum, check) => sum + check.weight * check.score, 0);
  return {
    outcome: flagged ? 'flagged' : 'scored',
    reward: flagged ? 0 : score / weight,
    passed: !flagged && task.checks.every((check, index) => !check.required || checks[index]?.ok === true),
    flags,
    boundary: null,
    failure: null,
    checks,
    events: [],
  };
}

function runCheck(check: Check, home: string, secrets: readonly string[]): CheckResult {
  const read = readReportFile(home, check.probe.path);
  const value = read.type === 'text' ? read.text : null;
  const expected = check.expect.map((template) => fillTemplate(template, secrets));
  const score = value === null ? 0 : scoreOp(check.op, value, expected);
  return {
    id: check.id,
    role: check.role,
    event: check.event,
    value: value?.slice(0, valueLength) ?? null,
    note: read.type === 'refused' ? read.reason : null,
    ok: score === 1,
    score,
    weight: check.weight,
  };
}
