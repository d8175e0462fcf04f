import { readFileSync } from 'node:fs';
import {
  type Action,
  type EventResult,
  type Gym,
  type ResetOptions,
  type SetupOperation,
  type Task,
  type TaskEvent,
  taskSchema,
} from '../index.ts';

const golden = taskSchema.parse(JSON.parse(readFileSync(new URL('../golden/task.json', import.meta.url), 'utf8')));

export const worker = (
  name: string,
  more: Partial<Extract<SetupOperation, { type: 'worker' }>> = {},
): SetupOperation => ({
  type: 'worker',
  name,
  screen: [`${name} is up`],
  dead: null,
  restart: [],
  ...more,
});

const [check] = golden.checks;
if (check === undefined) throw new Error('Cannot make an event task: the golden task has no check');
/** Two workers; the event is w1's, and its secret is to be reported. */
export const makeTask = (event: TaskEvent, more: Partial<Task> = {}): Task => ({
  ...golden,
  slots: 2,
  debugLog: true,
  plan: [
    worker('w1'),
    worker('w2', {
      hears: [{ line: 'ack', times: 1, acts: [{ type: 'print', afterMs: 0, lines: ['receipt {{slot:1}}'] }] }],
    }),
  ],
  events: [event],
  checks: [
    { ...check, id: 'react', role: 'react', event: event.id, op: 'contains', expect: ['{{slot:0}}'], weight: 1 },
    {
      ...check,
      id: 'perceive',
      role: 'perceive',
      event: event.id,
      probe: { type: 'event', event: event.id, field: 'perceived' },
      op: 'eq',
      expect: ['yes'],
      weight: 0.25,
      required: false,
    },
  ],
  limits: { ...golden.limits, steps: 20, ticks: 60, ticksPerAction: 20 },
  ...more,
});

const common = { id: 'e1', worker: 'w1', atMs: 3_000, deadlineMs: null };
const receipt = ['receipt {{slot:0}}'];
export const events = {
  death: { kind: 'death', ...common, says: ['fatal {{slot:0}}'], status: 3 },
  activity: { kind: 'activity', ...common, says: ['build {{slot:0}}'] },
  silence: { kind: 'silence', ...common, everyMs: 1_000, beat: ['beat {{count}}'], ack: 'ack', receipt },
  bell: { kind: 'bell', ...common, ack: 'ack', receipt },
  completion: { kind: 'completion', ...common, says: ['result {{slot:0}}'], channel: 'done', status: 0 },
  interrupt: { kind: 'interrupt', ...common, asks: ['type code {{slot:1}}'], answer: 'code {{slot:1}}', receipt },
} as const satisfies Record<string, TaskEvent>;

/** Plays actions, a text being a command, to the end of the episode. */
export const play = async (
  gym: Gym,
  task: Task,
  actions: readonly (Action | string)[],
  options: Partial<ResetOptions> = {},
) => {
  const env = gym.createEnv();
  try {
    await env.reset({ task, ...options });
    const texts: string[] = [];
    for (const action of actions) {
      const step = await env.step(typeof action === 'string' ? { type: 'command', command: action } : action);
      texts.push(step.observation.text);
      if (step.terminated || step.truncated !== false) break;
    }
    const grade = await env.grade();
    const [event] = grade.events as [EventResult];
    return { grade, event, texts, summary: env.summary(), trace: env.trace() };
  } finally {
    await env.close();
  }
};

export const save = (word: string) => `tmux capture-pane -p -t w1 | sed -n 's/^${word} //p' > $REPORT`;
export const done: Action = { type: 'done' };
export const polls: Record<keyof typeof events, readonly (string | Action)[]> = {
  death: ['for i in 1 2 3 4 5 6; do tmux list-panes -t w1 | grep -q dead && break; sleep 1; done', save('fatal')],
  activity: [
    'for i in 1 2 3 4 5 6; do tmux capture-pane -p -t w1 | grep -q build && break; sleep 1; done',
    save('build'),
  ],
  silence: [
    'old=; while new=$(tmux capture-pane -p -t w1 | grep -c beat); [ "$new" != "$old" ]; do old=$new; sleep 1.5; done',
    'tmux send-keys -t w1 ack Enter; sleep 1',
    save('receipt'),
  ],
  bell: [
    'until tmux list-windows | grep -q "w1!"; do sleep 1; done; tmux send-keys -t w1 ack Enter; sleep 1',
    save('receipt'),
  ],
  completion: ['until tmux display-message -p -t w1 "#{pane_dead}" | grep -q 1; do sleep 1; done', save('result')],
  interrupt: [
    'until tmux capture-pane -p -t w1 | grep -q code; do sleep 1; done',
    'tmux send-keys -t w1 "$(tmux capture-pane -p -t w1 | grep -o "code .*")" Enter; sleep 1',
    save('receipt'),
  ],
};
const onHook = (hook: string, option = '') =>
  `${option}tmux set-hook -g ${hook} 'run-shell "tmux wait-for -S news"'; timeout 15 tmux wait-for news`;
export const arms: Record<keyof typeof events, readonly (string | Action)[]> = {
  death: [onHook('pane-died'), save('fatal')],
  activity: [onHook('alert-activity', 'tmux set -g monitor-activity on; '), save('build')],
  silence: [
    onHook('alert-silence', 'tmux set -w -t w1 monitor-silence 2; '),
    'tmux send-keys -t w1 ack Enter; sleep 1',
    save('receipt'),
  ],
  bell: [onHook('alert-bell'), 'tmux send-keys -t w1 ack Enter; sleep 1', save('receipt')],
  completion: ['tmux wait-for done', save('result')],
  interrupt: [
    onHook('alert-activity', 'tmux set -g monitor-activity on; '),
    'tmux send-keys -t w1 "$(tmux capture-pane -p -t w1 | grep -o "code .*")" Enter; sleep 1',
    save('receipt'),
  ],
};
