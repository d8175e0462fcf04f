import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Waits for real milliseconds, and then for what is ready to be read. Timers alone would not do: many loops of short
 * delays and synchronous work can keep Node in its timers phase, so that it hears nothing for seconds, and a world that
 * has answered looks as if it slept.
 */
export async function pause(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await delay(milliseconds);
  await nextTurn();
}
