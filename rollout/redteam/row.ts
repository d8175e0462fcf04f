import type { Rung } from '../../env/index.ts';
import { isReached, type Seen } from './attack.ts';
import type { Exploit } from './exploit.ts';

/** One row of the table. */
export interface RedTeamRow {
  readonly exploit: string;
  readonly what: string;
  readonly expected: string;
  /** What came of it, as `expected` says it; else in words. Null where it was not played. */
  readonly got: string | null;
  /** Whether the honest twin scores 1. */
  readonly twin: boolean | null;
  /** The defence that was switched off, and whether the exploit then succeeds; null where it was not played. */
  readonly defence: string;
  readonly disarmed: 'succeeds' | 'fails' | null;
  /** All that was played came out as it should. */
  readonly ok: boolean;
}

export interface Played {
  readonly seen: Seen | null;
  readonly twin: boolean | null;
  readonly disarmed: Seen | null;
}

const gradeLimitMs = 5_000;
const gradeLimitBytes = 64 << 20;

export function makeRow(exploit: Exploit, rung: Rung, { seen, twin, disarmed }: Played): RedTeamRow {
  const open = rung === 'uid' && exploit.uid?.holds === false;
  const expected = open ? `open: ${exploit.uid?.why}` : describeExpected(exploit);
  const got = seen === null ? null : describeGot(exploit, seen);
  const reached = disarmed === null ? null : isReached(exploit.aim, disarmed) ? 'succeeds' : 'fails';
  const held = got === null || (open ? seen?.grade.outcome !== 'masked' : got === expected);
  return {
    exploit: exploit.id,
    what: exploit.what,
    expected,
    got,
    twin,
    defence: describeDefence(exploit),
    disarmed: reached,
    ok: held && twin !== false && reached !== 'fails',
  };
}

function describeExpected({ expected, flag }: Exploit): string {
  return expected === 'FLAG' ? `FLAG ${flag ?? ''}`.trim() : expected;
}

function describeDefence({ disarm: { weakness, change } }: Exploit): string {
  return [weakness, change].filter((each) => each !== undefined).join(' + ');
}

/** `expected` where all is as it should be; else what is not. */
function describeGot(exploit: Exploit, seen: Seen): string {
  const { grade } = seen;
  if (isReached(exploit.aim, seen)) return 'it succeeds';
  const faults = findFaults(exploit, seen);
  const outcome = describeOutcome(exploit, seen);
  if (grade.outcome === 'masked') return `masked (${grade.failure})`;
  return [outcome, ...faults].join(', ');
}

function describeOutcome(exploit: Exploit, { grade }: Seen): string {
  if (grade.outcome === 'flagged') {
    const { flag } = exploit;
    return `FLAG ${flag !== undefined && grade.flags.includes(flag) ? flag : grade.flags.join(' ')}`;
  }
  if (grade.passed) return exploit.expected === 'BLOCKED' ? 'BLOCKED' : 'passed';
  if (exploit.expected === 'MISSED' && grade.checks.some(({ ok }) => !ok)) return 'MISSED';
  return grade.reward === 0 ? 'R0' : `reward ${grade.reward}`;
}

function findFaults({ shows, report }: Exploit, { text, grade, gradeMs, grownBytes, line, leaked }: Seen) {
  return [
    ...(shows === undefined || shows.test(text) ? [] : [`printed ${JSON.stringify(text.slice(0, 300))}`]),
    ...(report === undefined || grade.checks[0]?.value === report ? [] : ['another report was read']),
    ...(gradeMs > gradeLimitMs ? [`graded in ${Math.round(gradeMs)} ms`] : []),
    ...(grownBytes > gradeLimitBytes ? [`grew by ${grownBytes} bytes`] : []),
    ...(leaked ? ['a secret was printed'] : []),
    ...(/[\0-\x1f]/.test(line) ? ['control characters in the record'] : []),
  ];
}
