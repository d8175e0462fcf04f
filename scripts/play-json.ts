import { type Action, actionSchema } from '../env/index.ts';
import { printLine, setExitCode } from './output.ts';
import type { Dialogue } from './play-dialogue.ts';

/** One JSON object per line, as programs speak it. */
export const jsonDialogue: Dialogue = {
  begin: (prompt) => write({ prompt }),
  read: (line) => (line.trim() === '' ? null : readAction(line)),
  answer: ({ observation, reward, terminated, truncated, info }) =>
    write({ observation, reward, tick: info.tick, terminated, truncated, info }),
  invite: () => undefined,
  end: (grade) => write({ grade }),
};

function write(value: object): void {
  printLine(JSON.stringify(value));
}

/** A line that is no action is answered by an error, and the program ends with 1; the episode is not touched. */
function readAction(line: string): Action | null {
  const parsed = actionSchema.safeParse(parseJson(line));
  if (parsed.success) return parsed.data;
  const found = line.length > 200 ? `${line.slice(0, 200)}…` : line;
  const message = parsed.error.issues.map(({ path, message: text }) => [...path, text].join(': ')).join('; ');
  write({ error: { code: 'E_ACTION', message: `Cannot read an action, at stdin: ${message}`, found } });
  setExitCode(1);
  return null;
}

/** Undefined for text that is no JSON, which no action schema accepts. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
