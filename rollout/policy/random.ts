import seedrandom from 'seedrandom';
import { type Action, hashTask } from '../../env/index.ts';
import type { Assignment, Policy } from './policy.ts';
import { makeScriptedPolicy } from './scripted.ts';

/** Plausible actions without a plan, seeded by task and sample: what a score owes to luck alone. */
export function makeRandomPolicy(): Policy {
  return makeScriptedPolicy('random', drawActions);
}

function drawActions({ task, sample }: Assignment): readonly Action[] {
  const random = seedrandom.alea(`random/${hashTask(task)}/${sample}`);
  const count = 2 + Math.floor(random() * 6);
  return Array.from({ length: Math.min(count, task.limits.steps) }, () => pick(random, kinds)(random));
}

type Random = () => number;

const commands = [
  'ls -la "$HOME"',
  'tmux list-windows -a',
  'tmux list-panes -a',
  'tmux show-options -g',
  'tmux capture-pane -p',
  'cat "$HOME"/*',
  'tmux list-sessions',
  'env',
] as const;

const keys = ['Enter', 'C-c', 'q', 'ls', 'yes'] as const;

const kinds: readonly ((random: Random) => Action)[] = [
  (random) => ({ type: 'command', command: pick(random, commands) }),
  (random) => ({ type: 'command', command: `printf '%s\\n' ${drawToken(random)} >> "$REPORT"` }),
  (random) => ({ type: 'keys', target: `main:${Math.floor(random() * 8)}`, keys: [pick(random, keys), 'Enter'] }),
  (random) => ({ type: 'wait', ticks: 1 + Math.floor(random() * 3) }),
  (random) => ({ type: 'script', script: `${pick(random, commands)} > "$REPORT"\n` }),
];

function drawToken(random: Random): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('Cannot pick from an empty list');
  return item;
}
