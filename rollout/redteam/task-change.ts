import type { Check, SetupOperation, Task } from '../../env/index.ts';

/** A defence of the task, of its evidence or of what is kept of it, switched off. */
export type TaskChange =
  /** The expected answer lies in a file of HOME, as in the first harness for this benchmark. */
  | 'planted-answers'
  /** A secret in the environment of the tmux server. */
  | 'secret-environment'
  /** A secret in a command line. */
  | 'secret-arguments'
  /** What each worker says on its restart lies in a file of HOME. */
  | 'worker-tokens'
  /** Nothing is asked of the server in grading. */
  | 'unasked'
  /** Names are matched as tmux does by itself: by their beginning. */
  | 'loose-names'
  /** The record of commands is a file of HOME. */
  | 'record-in-home'
  /** An event counts as perceived where a command ran that names it. */
  | 'words-perceive'
  /** The server keeps no debug log. */
  | 'no-evidence'
  /** Observations of the greatest length. */
  | 'long-observations'
  /** Actions of few ticks, so that one that hangs ends early. */
  | 'short-actions'
  /** Lines of the record are kept as they come, not as JSON. */
  | 'raw-lines';

/** The task as an exploit meets it, with one defence switched off. */
export function changeTask(task: Task, change: TaskChange): Task {
  switch (change) {
    case 'planted-answers':
      return withPlan(task, [{ type: 'file', path: 'bench_expect', content: slotsOf(task).join('\n') }]);
    case 'secret-environment':
      return withPlan(task, [{ type: 'tmux', argv: ['set-environment', '-g', 'EXPECTED', slotsOf(task).join(' ')] }]);
    case 'secret-arguments':
      // No plan may put one there by itself.
      return withPlan(task, [
        {
          type: 'tmux',
          argv: ['set-option', '-g', 'default-command', `exec perl -e sleep ${slotsOf(task).join(' ')}`],
        },
        { type: 'tmux', argv: ['new-window', '-d'] },
      ]);
    case 'worker-tokens':
      return withPlan(task, task.plan.flatMap(tokensOf));
    case 'unasked':
      return { ...task, checks: task.checks.filter(({ probe }) => probe.type !== 'tmux') };
    case 'loose-names':
      return withProbe(task, { type: 'tmux', argv: ['has-session', '-t', 'db'] });
    case 'record-in-home':
      return withProbe(task, { type: 'file', path: 'commands.log' }, 'contains', ['capture-pane -p']);
    case 'words-perceive':
      return withProbe(task, { type: 'commands', command: 'has-session' }, 'ge', ['1']);
    case 'no-evidence':
      return { ...task, debugLog: false };
    case 'long-observations':
      return { ...task, limits: { ...task.limits, observationBytes: 65_536 } };
    case 'short-actions':
      return { ...task, limits: { ...task.limits, ticksPerAction: 4 } };
    case 'raw-lines':
      return task;
  }
}

function withPlan(task: Task, operations: readonly SetupOperation[]): Task {
  return { ...task, plan: [...task.plan, ...operations] };
}

/** The last check, with another probe. */
function withProbe(task: Task, probe: Check['probe'], op?: Check['op'], expect?: readonly string[]): Task {
  const checks = task.checks.map((check, index) =>
    index < task.checks.length - 1 ? check : { ...check, probe, op: op ?? check.op, expect: expect ?? check.expect },
  );
  return { ...task, checks };
}

function slotsOf({ slots }: Task): readonly string[] {
  return Array.from({ length: slots }, (_, index) => `{{slot:${index}}}`);
}

function tokensOf(operation: SetupOperation): readonly SetupOperation[] {
  if (operation.type !== 'worker') return [];
  return [
    { type: 'file', path: `tokens/${operation.name}`, content: operation.restart.map((line) => `${line}\n`).join('') },
  ];
}
