/** The script of an answer, or why it holds none. */
export type ScriptBlock =
  | { readonly type: 'script'; readonly script: string }
  | { readonly type: 'none'; readonly reason: 'no-fence' | 'other-language' | 'unclosed-fence' | 'empty-block' };

const fence = /^ {0,3}```(?!`)([^`]*)$/;

/** Reads the first fenced block by the rule of `data/prompts/README.md`; later blocks are never looked at. */
export function parseScriptBlock(answer: string): ScriptBlock {
  const lines = answer.split(/\r?\n/);
  const open = lines.findIndex((line) => fence.test(line));
  if (open === -1) return { type: 'none', reason: 'no-fence' };
  if (!['', 'bash', 'sh'].includes(infoOf(lines[open]) ?? '')) return { type: 'none', reason: 'other-language' };
  const close = lines.findIndex((line, index) => index > open && infoOf(line) === '');
  if (close === -1) return { type: 'none', reason: 'unclosed-fence' };
  const script = lines.slice(open + 1, close).join('\n');
  return script.trim() === '' ? { type: 'none', reason: 'empty-block' } : { type: 'script', script };
}

function infoOf(line: string | undefined): string | undefined {
  return line === undefined ? undefined : fence.exec(line)?.[1]?.trim();
}
