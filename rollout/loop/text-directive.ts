import { closeFence, isFence, isScriptFence } from './script-block.ts';

/** What an answer of the text loop asks for, or why it asks for nothing. */
export type TextDirective =
  | { readonly type: 'run'; readonly command: string }
  | { readonly type: 'done' }
  | {
      readonly type: 'none';
      readonly reason:
        | 'no-directive'
        | 'empty-command'
        | 'backticks'
        | 'unclosed-fence'
        | 'other-language'
        | 'cut-answer';
    };

const runLine = /^ {0,3}RUN:(.*)$/;
const doneLine = /^ {0,3}DONE\.?\s*$/;

/**
 * Reads the first directive by the rule of `data/prompts/README.md`; later ones are never looked at. `cut` tells that
 * the answer was ended by its bound, so that its last line may be half a line.
 */
export function parseTextDirective(answer: string, cut: boolean): TextDirective {
  const lines = afterThinking(answer).split(/\r?\n/);
  const at = lines.findIndex((line) => runLine.test(line) || doneLine.test(line));
  if (at === -1) return { type: 'none', reason: 'no-directive' };
  const rest = runLine.exec(lines[at] ?? '')?.[1]?.trim();
  if (rest === undefined) return cut && at === lines.length - 1 ? cutAnswer : { type: 'done' };
  const fenceAt = findBlock(lines, at, rest);
  if (fenceAt !== null) return readBlock(lines, fenceAt, rest);
  if (cut && at === lines.length - 1) return cutAnswer;
  return readLine(rest);
}

const cutAnswer = { type: 'none', reason: 'cut-answer' } as const;

/** Where a server leaves a model's thinking in its answer, the answer begins behind it; thinking without end is all. */
function afterThinking(answer: string): string {
  const end = answer.lastIndexOf('</think>');
  if (end !== -1) return answer.slice(end + '</think>'.length);
  return answer.trimStart().startsWith('<think>') ? '' : answer;
}

/** The line of the fence that opens the command: behind `RUN:`, or on the next line that is not blank. */
function findBlock(lines: readonly string[], at: number, rest: string): number | null {
  if (rest !== '') return isFence(rest) ? at : null;
  const next = lines.findIndex((line, index) => index > at && line.trim() !== '');
  return next !== -1 && isFence(lines[next] ?? '') ? next : null;
}

function readBlock(lines: readonly string[], open: number, rest: string): TextDirective {
  if (!isScriptFence(rest === '' ? (lines[open] ?? '') : rest)) return { type: 'none', reason: 'other-language' };
  const close = closeFence(lines, open);
  if (close === -1) return { type: 'none', reason: 'unclosed-fence' };
  const command = lines.slice(open + 1, close).join('\n');
  return command.trim() === '' ? { type: 'none', reason: 'empty-command' } : { type: 'run', command };
}

/** Backticks around the whole are the model's markup; any others would become a command substitution. */
function readLine(rest: string): TextDirective {
  const command = (/^(`{1,3})([^`]+)\1$/.exec(rest)?.[2] ?? rest).trim();
  if (command.includes('`')) return { type: 'none', reason: 'backticks' };
  return command === '' ? { type: 'none', reason: 'empty-command' } : { type: 'run', command };
}
