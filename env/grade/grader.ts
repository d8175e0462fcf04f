import type { EventResult } from '../evidence/index.ts';
import { type Check, fillTemplate, type Task } from '../task/index.ts';
import type { CheckResult, Grade } from './grade.ts';
import { scoreOp } from './op.ts';
import type { ProbeRead } from './probe.ts';

export interface GradeOptions {
  readonly task: Task;
  readonly secrets: readonly string[];
  /** What each check's probe read, in the order of the checks. */
  readonly reads: readonly ProbeRead[];
  /** What tampering was seen. */
  readonly flags: readonly string[];
  readonly events: readonly EventResult[];
  /** Whether perceiving earns partial credit of its own. */
  readonly shaping: boolean;
}

const valueLength = 4_096;
/** What is not there may rightly be empty: no such file, tmux's own answer for no such thing. All else was not read. */
const absences: ReadonlySet<string> = new Set(['missing', 'exit-1']);

/** Grades what was read. Reward and `passed` as METRICS defines them. Pure. */
export function gradeChecks({ task, secrets, reads, flags, events, shaping }: GradeOptions): Grade {
  const checks = task.checks.map((check, index) => judge(check, reads[index], secrets, shaping));
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
    events,
  };
}

function judge(check: Check, read: ProbeRead | undefined, secrets: readonly string[], shaping: boolean): CheckResult {
  if (read === undefined) throw new Error(`Cannot grade check "${check.id}": its probe was not read`);
  const value = read.type === 'text' ? read.text : null;
  const expected = check.expect.map((template) => fillTemplate(template, secrets));
  const score = read.type === 'refused' && !absences.has(read.reason) ? 0 : scoreOp(check.op, value, expected);
  return {
    id: check.id,
    role: check.role,
    event: check.event,
    value: value?.slice(0, valueLength) ?? null,
    note: read.type === 'refused' ? read.reason : null,
    ok: score === 1,
    score,
    weight: check.role === 'perceive' && !shaping ? 0 : check.weight,
  };
}
