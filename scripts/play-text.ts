import { type Action, actionSchema } from '../env/index.ts';
import { printLine } from './output.ts';
import type { Dialogue } from './play-dialogue.ts';

/** A small shell for people: a line is a command, a line that begins with a colon is another action. */
export const textDialogue: Dialogue = {
  begin: (prompt) => {
    printLine(prompt);
    printLine('');
    printLine(help);
    invite();
  },
  read: (line) => {
    const action = parseTextAction(line);
    if (action !== null) return action;
    if (line.trim() !== '') printLine(help);
    invite();
    return null;
  },
  answer: ({ observation, terminated, truncated, info }) => {
    if (observation.text !== '') printLine(showControls(observation.text.replace(/\n$/, '')));
    const cut = observation.cutBytes > 0 ? `, ${observation.cutBytes} bytes cut` : '';
    const end = terminated ? ', terminated' : truncated === false ? '' : `, truncated: ${truncated}`;
    printLine(`[exit ${observation.exitCode ?? '-'}, tick ${info.tick}${cut}${end}]`);
  },
  invite,
  end: (grade) => {
    printLine('');
    for (const check of grade.checks) printLine(`${check.ok ? 'ok  ' : 'FAIL'} ${check.id}: score ${check.score}`);
    const reason = grade.failure === null ? '' : ` (${grade.boundary}: ${grade.failure})`;
    const flags = grade.flags.length === 0 ? '' : ` (${grade.flags.join(', ')})`;
    printLine(
      `${grade.outcome}${flags}${reason}: reward ${grade.reward ?? 'none'}, ${grade.passed ? 'passed' : 'not passed'}`,
    );
  },
};

const help = 'Type a shell command, or :wait TICKS, :keys TARGET KEY…, :done (or end of input).';

function invite(): void {
  if (process.stdin.isTTY) process.stdout.write('muxgym> ');
}

/** Control characters as `cat -v` shows them, but for tabs and ends of lines: a world must not drive the player's terminal. */
export function showControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x80 ? `^${String.fromCharCode(code ^ 0x40)}` : `M-^${String.fromCharCode((code ^ 0x40) & 0x7f)}`;
  });
}

/** Null for an empty line and for a colon command that does not exist. */
export function parseTextAction(line: string): Action | null {
  const [word = '', ...rest] = line.trim().split(/\s+/);
  if (word === '') return null;
  if (!word.startsWith(':')) return { type: 'command', command: line };
  const parsed = actionSchema.safeParse(colonAction(word, rest));
  return parsed.success ? parsed.data : null;
}

function colonAction(word: string, rest: readonly string[]): object | null {
  switch (word) {
    case ':done':
      return { type: 'done' };
    case ':wait':
      return { type: 'wait', ticks: Number(rest[0] ?? 1) };
    case ':keys':
      return { type: 'keys', target: rest[0], keys: rest.slice(1) };
    default:
      return null;
  }
}
