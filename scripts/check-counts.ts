import { z } from 'zod';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A check without a report of its own is one test. */
export function countExit(exitCode: number): Counts {
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : crashed;
}
const crashed: Counts = { passed: 0, failed: 1, skipped: 0 };

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/** Counts vitest's JSON report; a file that could not be loaded is one failure, and so is a red exit without any. */
export function countVitest(text: string | null, exitCode: number): Counts {
  if (text === null) return crashed;
  const report = vitestReport.parse(JSON.parse(text));
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  return settle(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    exitCode,
  );
}

/** Counts pytest's JUnit report. */
export function countPytest(text: string | null, exitCode: number): Counts {
  if (text === null) return crashed;
  const suites = [...text.matchAll(/<testsuite\s([^>]*)>/g)].map((match) => match[1] ?? '');
  const sum = (name: string) => suites.reduce((total, attributes) => total + readCount(attributes, name), 0);
  const failed = sum('failures') + sum('errors');
  const skipped = sum('skipped');
  return settle({ passed: sum('tests') - failed - skipped, failed, skipped }, exitCode);
}

function readCount(attributes: string, name: string): number {
  const match = attributes.match(new RegExp(`(?:^|\\s)${name}="(\\d+)"`));
  return match === null ? 0 : Number(match[1]);
}

/** A runner that ran nothing, or ended red without naming a failure, has failed. */
function settle(counts: Counts, exitCode: number): Counts {
  const silent = counts.failed === 0 && (exitCode !== 0 || counts.passed === 0);
  return silent ? { ...counts, failed: 1 } : counts;
}
