/** One fenced block of a Markdown file. */
export interface Snippet {
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** What the comment above says: `<!-- run -->`, `<!-- not run: reason -->`, or nothing. */
  readonly mark: 'run' | 'not-run' | null;
}

const languages = ['sh', 'bash', 'python'];

/** The fenced blocks of the languages that can be executed, in order. */
export function parseSnippets(markdown: string): readonly Snippet[] {
  const lines = markdown.split('\n');
  const snippets: Snippet[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const language = /^```(\w+)\s*$/.exec(lines[index] ?? '')?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new SyntaxError(`Cannot find the end of the block that begins at line ${index + 1}`);
    const code = lines.slice(index + 1, end).join('\n');
    if (languages.includes(language)) snippets.push({ line: index + 1, language, code, mark: readMark(lines, index) });
    index = end;
  }
  return snippets;
}

function readMark(lines: readonly string[], fence: number): Snippet['mark'] {
  const above = lines.slice(0, fence).findLast((line) => line.trim() !== '');
  if (above === undefined) return null;
  if (/^<!-- run -->$/.test(above.trim())) return 'run';
  return /^<!-- not run: \S.* -->$/.test(above.trim()) ? 'not-run' : null;
}

/** The two commands for a newcomer, where they stand alone on a line: the demo in its short form; the tests are CI itself. */
export function shortenOpeners(code: string): string {
  return code
    .split('\n')
    .map((line) => (/^scripts\/demo(\s+#.*)?$/.test(line.trim()) ? 'scripts/demo --quick' : line))
    .map((line) => (/^scripts\/test(\s+#.*)?$/.test(line.trim()) ? ':' : line))
    .join('\n');
}
