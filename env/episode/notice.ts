import type { EventKind } from '../task/index.ts';

/**
 * How the agent learns of events: `poll`, it must look; `notice`, the next observation says so in one line, as a good
 * scaffold would; `push`, whoever listens is told at once.
 */
export const deliveries = ['poll', 'notice', 'push'] as const;
export type Delivery = (typeof deliveries)[number];

/** An event that begins. */
export interface EventNotice {
  readonly event: string;
  readonly kind: EventKind;
  readonly worker: string;
  readonly pane: string;
  readonly tick: number;
}

/** What a good scaffold would say: what happened and where, and nothing of what only a look would show. */
export function describeEvent({ kind, worker, pane }: EventNotice): string {
  const place = `pane ${pane} (${worker})`;
  switch (kind) {
    case 'death':
      return `the program of ${place} has ended`;
    case 'activity':
      return `activity in ${place}`;
    case 'silence':
      return `${place} has gone silent`;
    case 'bell':
      return `bell in ${place}`;
    case 'completion':
      return `the job of ${place} is done`;
    case 'interrupt':
      return `${place} waits for input`;
  }
}
