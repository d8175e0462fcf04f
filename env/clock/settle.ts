import { setTimeout as delay } from 'node:timers/promises';
import type { Sandbox } from '../sandbox/index.ts';
import { lookAt } from './look.ts';

const equalLooks = 3;
const lookEveryMs = 1;

/**
 * Three equal looks at least 1 ms apart, with nothing heard from the launcher in between: nothing in the world can move
 * by itself any more, but for timers. Returns false as soon as a look shows movement.
 */
export async function isSettled(sandbox: Sandbox): Promise<boolean> {
  const first = lookAt(sandbox.processes);
  if (first === null) return false;
  const heard = sandbox.launcher.received;
  for (let looks = 1; looks < equalLooks; looks++) {
    await delay(lookEveryMs);
    if (sandbox.launcher.received !== heard || lookAt(sandbox.processes) !== first) return false;
  }
  return sandbox.launcher.received === heard;
}
