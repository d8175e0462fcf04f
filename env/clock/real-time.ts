import type { Exit, Launched, Sandbox } from '../sandbox/index.ts';
import { exitWithin } from './action.ts';
import { Sleepers } from './sleepers.ts';

const pollMs = 4;
/** A sleeper is found before it listens for its release; so long it has to get there. */
const readyMs = 25;
const killLimitMs = 2_000;

/**
 * Lets a command of the gym's own run on real time: what sleeps in its sandbox, the command or anything else, is
 * released when its time has really passed. Null where it did not exit within the limit; its session is ended then.
 * Rejects with LauncherGone where the sandbox ends.
 */
export async function runInRealTime(sandbox: Sandbox, launched: Launched, limitMs: number): Promise<Exit | null> {
  const sleepers = new Sleepers(sandbox);
  const deadline = performance.now() + limitMs;
  for (;;) {
    const exit = await exitWithin(launched, pollMs);
    if (exit !== null) return exit;
    const now = performance.now();
    if (now >= deadline) break;
    sleepers.update(now + readyMs);
    while (sleepers.releaseNext(now));
  }
  launched.kill();
  await exitWithin(launched, killLimitMs);
  return null;
}
