/** One argument for tmux's own command parser, as `source-file` reads it: single quotes take everything literally. */
export function quoteArgument(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
