import type { Exit, Launched, Sandbox } from '../sandbox/index.ts';
import type { ActionEnd } from './clock.ts';
import { isStopped } from './look.ts';

const startPauseMs = 250;
const killLimitMs = 2_000;

/** Waits until a command runs. An agent can stop the launcher, which then starts nothing more: its world is over. */
export async function waitForStart(launched: Launched, sandbox: Sandbox): Promise<void> {
  while ((await within(launched.started, startPauseMs)) === null) {
    if (isStopped(sandbox.processes, await sandbox.launcher.ready)) await sandbox.kill();
  }
}

/** Null where it still runs then. */
export function exitWithin(launched: Launched, milliseconds: number): Promise<Exit | null> {
  return within(launched.exited, milliseconds);
}

/** Ends the action's session; its exit tells how much output was dropped, unless the launcher itself was stopped. */
export async function cutAction(launched: Launched, by: 'ticks' | 'time'): Promise<ActionEnd> {
  launched.kill();
  const exit = await exitWithin(launched, killLimitMs);
  return { type: 'cut', by, output: exit?.output ?? launched.output(), cutBytes: exit?.cutBytes ?? 0 };
}

/** Null where the time is over first. */
async function within<Value>(work: Promise<Value>, milliseconds: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const nothing = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([work, nothing]);
  } finally {
    clearTimeout(timer);
  }
}
