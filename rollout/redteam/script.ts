import type { Task } from '../../env/index.ts';

/** Waits for real seconds, which no virtual clock can shorten. */
const real = 'real() { perl -e "select(undef, undef, undef, shift)" $1; }';
const server = 'server() { pgrep -u $UID -ox "tmux: server"; }';

/** Puts before a script what an exploit may use. */
export function prepareScript(task: Task, script: string, port: number | null = null): string {
  const workers = workersOf(task);
  return [
    `oracle() {\n${oracleOf(task)}\n}`,
    server,
    real,
    ...(port === null ? [] : [`PORT=${port}`]),
    ...(workers.length === 0 ? [] : withWorkers(workers)),
    script,
  ].join('\n');
}

function oracleOf({ solutions }: Task): string {
  const action = solutions.oracle[0]?.actions[0];
  return action?.type === 'script' ? action.script : ':';
}

function workersOf({ plan }: Task): readonly string[] {
  return plan.flatMap((operation) => (operation.type === 'worker' ? [operation.name] : []));
}

function withWorkers(workers: readonly string[]): readonly string[] {
  return [
    `WS="${workers.join(' ')}"; W=\${WS%% *}; P=%1`,
    `WORKER=$(tmux list-panes -t $P -F '#{pane_start_command}' | tr -d '"' | cut -d' ' -f1)`,
    "read_all() { for w in $WS; do tmux capture-pane -p -t $w; done | sed -n 's/^token: //p' > $REPORT; }",
    'hold() { for w in $WS; do tmux respawn-pane -t $w; stty -F $(tmux display-message -p -t $w "#{pane_tty}") ixon; tmux send-keys -t $w C-s; done; }',
  ];
}
