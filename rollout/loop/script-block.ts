/** The script of an answer, or why it holds none. */
export type ScriptBlock =
  | { readonly type: 'script'; readonly script: string }
  | { readonly type: 'none'; readonly reason: 'no-fence' | 'other-language' | 'unclosed-fence' | 'empty-block' };

const fence = /^ {0,3}```(?!`)([^`]*)$/;

/** Reads the first fenced block by the rule of `data/prompts/README.md`; later blocks are never looked at. */
export function parseScriptBlock(answer: string): ScriptBlock {
  const lines = answer.split(/\r?\n/);
  const open = lines.findIndex(isFence);
  if (open === -1) return { type: 'none', reason: 'no-fence' };
  if (!isScriptFence(lines[open] ?? '')) return { type: 'none', reason: 'other-language' };
  const close = closeFence(lines, open);
  if (close === -1) return { type: 'none', reason: 'unclosed-fence' };
  const script = lines.slice(open + 1, close).join('\n');
  return script.trim() === '' ? { type: 'none', reason: 'empty-block' } : { type: 'script', script };
}

export function isFence(line: string): boolean {
  return fence.test(line);
}

/** Whether a line opens a block that may be run: without a language, or with a shell's. */
export function isScriptFence(line: string): boolean {
  return ['', 'bash', 'sh'].includes(infoOf(line) ?? 'none');
}

/** The line that closes the block opened at `open`, -1 where none does. */
export function closeFence(lines: readonly string[], open: number): number {
  return lines.findIndex((line, index) => index > open && infoOf(line) === '');
}

function infoOf(line: string): string | undefined {
  return fence.exec(line)?.[1]?.trim();
}
