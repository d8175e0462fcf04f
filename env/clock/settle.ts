import { pause, type Sandbox } from '../sandbox/index.ts';
import { type Look, lookAt } from './look.ts';

const equalLooks = 3;
const lookEveryMs = 1;

/**
 * Three equal looks at least 1 ms apart, with nothing heard from the launcher in between: nothing in the world can move
 * by itself any more, but for timers. Returns the look, or null as soon as one shows movement.
 */
export async function lookSettled(sandbox: Sandbox): Promise<Look> {
  // Before the first look: what was written by then is heard before it, so a world that has answered does not count.
  const heard = sandbox.launcher.received;
  await pause(0);
  const first = lookAt(sandbox.processes);
  if (first === null) return null;
  for (let looks = 1; looks < equalLooks; looks++) {
    await pause(lookEveryMs);
    if (sandbox.launcher.received !== heard || lookAt(sandbox.processes) !== first) return null;
  }
  await pause(0);
  return sandbox.launcher.received === heard ? first : null;
}

/** Waits until a world has settled, however long that takes: for set-up, which has its own limit. */
export async function untilSettled(sandbox: Sandbox): Promise<void> {
  while ((await lookSettled(sandbox)) === null) {
    sandbox.launcher.requireAlive();
    await pause(lookEveryMs);
  }
}
