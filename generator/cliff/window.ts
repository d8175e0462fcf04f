/** The tmux target of a window of the task's session. */
export function windowTarget(name: string): string {
  return `main:${name}`;
}

/** A pipeline that prints the token which stands on a window's screen. */
export function readToken(target: string): string {
  return `tmux capture-pane -p -t ${target} | sed -n 's/^token: //p'`;
}

/** A script that reads the tokens of the named windows in a loop. */
export function readInLoop(names: readonly string[]): readonly string[] {
  return [
    `for window in ${names.join(' ')}; do`,
    `  tmux capture-pane -p -t "main:$window" | grep -o '[0-9a-f]\\{8\\}'`,
    'done > "$REPORT"',
  ];
}
