import type { Evidence } from '../evidence/index.ts';
import { type ProbeRead, readReportFile, scoreOp } from '../grade/index.ts';
import { type Check, fillTemplate, type Task } from '../task/index.ts';
import type { Player } from '../terminal/index.ts';

export interface ReactionsOptions {
  readonly task: Task;
  readonly secrets: readonly string[];
  readonly player: Player;
  readonly evidence: Evidence;
  /** Path of the agent's HOME through a held descriptor. */
  readonly home: string;
}

/**
 * Sees from outside when an event's reaction checks begin to hold, action by action, so that a reaction has a tick. What
 * can only be asked of tmux is found at the end.
 */
export class Reactions {
  readonly #options: ReactionsOptions;
  readonly #checks: readonly Check[];

  constructor(options: ReactionsOptions) {
    this.#options = options;
    this.#checks = options.task.checks.filter(({ role, event }) => role === 'react' && event !== null);
  }

  /** To be called when the world has settled after an action, and at the end. */
  look(nowMs: number): void {
    const { evidence } = this.#options;
    const open = new Set(evidence.unreacted);
    for (const check of this.#checks) {
      const { event } = check;
      if (event === null || !open.has(event)) continue;
      const read = this.#read(check);
      if (read === null) continue;
      if (evidence.hasFired(event)) {
        if (this.#holds(check, read)) evidence.reacted(event, nowMs);
      } else if (read.type === 'text' && !isNothing(read.text)) evidence.attempted(event, nowMs);
    }
  }

  /** Null where it cannot be read while the agent acts. */
  #read({ probe }: Check): ProbeRead | null {
    const { player, home, secrets } = this.#options;
    switch (probe.type) {
      case 'file':
        return readReportFile(home, probe.path);
      case 'heard':
        return { type: 'text', text: String(player.heard(probe.worker, fillTemplate(probe.line, secrets))) };
      case 'started':
        return { type: 'text', text: String(player.started(probe.worker)) };
      case 'tmux':
      case 'shell':
      case 'event':
      case 'commands':
        return null;
    }
  }

  #holds({ op, expect }: Check, read: ProbeRead): boolean {
    const expected = expect.map((template) => fillTemplate(template, this.#options.secrets));
    return scoreOp(op, read.type === 'text' ? read.text : null, expected) === 1;
  }
}

function isNothing(text: string): boolean {
  return text.trim() === '' || text === '0';
}
