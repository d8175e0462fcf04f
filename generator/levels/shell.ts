/** The window that a script is at: its session and its name stand in `$s` and `$w`. */
export const target = '"$s:$w"';

/** Leaves in `$code` what stands after a label on the captured screen. */
export function readLabel(label: string): string {
  return `code=$(sed -n 's/^${label}: //p' <<< "$screen")`;
}

/** Whether the captured screen has a line with a label. */
export function hasLabel(label: string): string {
  return `grep -q '^${label}: ' <<< "$screen"`;
}

/** Types a line into the window, waits, and leaves the receipt in `$code`. */
export function typeForReceipt(line: string): readonly string[] {
  return [
    `tmux send-keys -t ${target} ${line} Enter`,
    'sleep 1',
    `code=$(tmux capture-pane -p -S - -t ${target} | sed -n 's/^receipt: //p')`,
  ];
}

/**
 * Arms a hook that notes the name of its window. In the background: tmux 3.3a drops the alerts that it finds in the very
 * moment in which a hook's command that it waited for has ended.
 */
export function noteOn(hook: string): string {
  return `tmux set-hook -g ${hook} 'run-shell -b "echo #{window_name} >> ~/noticed"'`;
}
