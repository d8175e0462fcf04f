import type { EventNotice } from './env.ts';

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
