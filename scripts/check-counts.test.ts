import { describe, expect, test } from 'vitest';
import { countExit, countPytest, countVitest } from './check-counts.ts';

function vitestReport(statuses: readonly string[], fileStatus: string): string {
  const count = (status: string) => statuses.filter((one) => one === status).length;
  return JSON.stringify({
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: 0,
    testResults: [{ status: fileStatus, assertionResults: statuses.map((status) => ({ status })) }],
  });
}

describe('countExit()', () => {
  test('countExit() counts one failure, when the exit code is not 0', () => {
    expect(countExit(0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(countExit(2)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('countVitest()', () => {
  test('countVitest() adds up, when all tests ran', () => {
    const text = vitestReport(['passed', 'passed', 'failed', 'pending'], 'failed');
    expect(countVitest(text, 1)).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  test('countVitest() counts a failure, when a file could not be loaded', () => {
    expect(countVitest(vitestReport([], 'failed'), 1).failed).toBe(1);
  });

  test('countVitest() counts a failure, when the runner ended red without one', () => {
    expect(countVitest(vitestReport(['passed'], 'passed'), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  test('countVitest() counts a failure, when nothing ran', () => {
    expect(countVitest(vitestReport([], 'passed'), 0).failed).toBe(1);
    expect(countVitest(null, 0).failed).toBe(1);
  });

  test('countVitest() throws, when the report is torn', () => {
    expect(() => countVitest('{"numPassedTests": 3', 0)).toThrow(SyntaxError);
  });
});

describe('countPytest()', () => {
  const report = (attributes: string) =>
    `<testsuites><testsuite name="pytest" ${attributes}><testcase/></testsuite></testsuites>`;

  test('countPytest() adds up, when all tests ran', () => {
    const text = report('errors="1" failures="2" skipped="3" tests="10" time="0.1"');
    expect(countPytest(text, 1)).toEqual({ passed: 4, failed: 3, skipped: 3 });
  });

  test('countPytest() counts a failure, when pytest ended red or silent', () => {
    expect(countPytest(report('errors="0" failures="0" skipped="0" tests="4"'), 2).failed).toBe(1);
    expect(countPytest(report('errors="0" failures="0" skipped="0" tests="0"'), 0).failed).toBe(1);
    expect(countPytest(null, 0).failed).toBe(1);
  });
});
